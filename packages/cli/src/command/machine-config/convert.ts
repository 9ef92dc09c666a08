import { hasErrors, UserError } from '@slipway/base';
import { formatYaml, renderIssue } from '@slipway/ignition';
import { type Conversion, type ConversionSource, convertTexts } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { Output } from '../../output.ts';
import { inputName } from '../input-name.ts';
import type { CommandContext } from '../program.ts';
import { readTexts, type TextFile } from './config-file.ts';
import { confinedFiles } from './confined-files.ts';

export type ConvertFlags = {
  readonly from: ConversionSource;
  readonly role?: string;
  readonly name?: string;
  readonly filesDir?: string;
  readonly output: 'yaml' | 'json';
  readonly strict?: boolean;
};

const refused = 3;
const roleName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * `slipway machine-config convert`: objects of slipway on standard output, everything about them on standard
 * error. 3, and nothing on standard output, when an input is refused, or, with `--strict`, when anything of
 * it has no counterpart.
 */
export async function convert(
  names: readonly string[],
  flags: ConvertFlags,
  context: CommandContext,
): Promise<number> {
  const { role, name, filesDir, from, strict = false } = flags;
  const { output, environment } = context;
  if (role !== undefined && !roleName.test(role)) {
    const code: CliErrorCode = 'cli.usage';
    throw new UserError(`convert: ${JSON.stringify(role)} is no role`, { code });
  }
  const files = await readTexts(names, context);
  const readable = files.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  const conversion = convertTexts(readable, {
    from,
    identity: { ...(role !== undefined && { role }), ...(name !== undefined && { name }) },
    ...(filesDir !== undefined && {
      readLocal: confinedFiles(filesDir, environment.workingDirectory),
    }),
  });
  const isAccepted = report(files, conversion, output);
  if (!isAccepted || (strict && conversion.hasDropped)) return refused;
  const text = textOf(conversion.objects, flags.output);
  if (text !== '') output.line(text);
  return 0;
}

/** Tells everything about the inputs, in their order; false when any of them is refused. */
function report(files: readonly TextFile[], { texts }: Conversion, output: Output): boolean {
  const converted = texts.values();
  const told = files.map(({ file, text, issues }) => {
    const more = text === undefined ? [] : (converted.next().value?.issues ?? []);
    return { file, text, issues: [...issues, ...more] };
  });
  for (const { file, text, issues } of told) {
    const fileName = inputName(file);
    for (const issue of issues) output.problem(renderIssue(issue, text, { fileName }));
  }
  return !told.some(({ issues }) => hasErrors(issues));
}

/** Several objects are several YAML documents, or one JSON List, as kubectl prints and takes them. */
function textOf(objects: Conversion['objects'], format: ConvertFlags['output']): string {
  if (objects.length === 0) return '';
  if (format === 'yaml')
    return objects
      .map((object) => formatYaml(object))
      .join('---\n')
      .trimEnd();
  const [only] = objects;
  const whole = objects.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items: objects };
  return JSON.stringify(whole, undefined, 2);
}
