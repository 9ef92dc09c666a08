import type { Issue } from '@slipway/base';
import type { CommandContext } from '../program.ts';
import { type ConfigFile, readConfigFiles } from './config-file.ts';
import { findingsText } from './findings-text.ts';

export type ValidateFlags = { readonly output: 'text' | 'json'; readonly strict?: boolean };

const refused = 3;

/** `slipway machine-config validate`: 0 when every file is accepted, else 3. */
export async function validate(
  names: readonly string[],
  { output: format, strict = false }: ValidateFlags,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const files = await readConfigFiles(names, context);
  const isOk = ({ issues }: ConfigFile) =>
    issues.every(({ severity }) => severity === 'info' || (severity === 'warning' && !strict));
  if (format === 'json') {
    const report = files.map((file) => ({
      file: file.file,
      ok: isOk(file),
      findings: file.issues.map(findingOf),
    }));
    output.line(JSON.stringify({ files: report }, undefined, 2));
  } else {
    for (const file of files) if (file.issues.length > 0) output.line(findingsText(file));
    output.line(summary(files));
  }
  return files.every(isOk) ? 0 : refused;
}

/** One finding, its members in the documented order. */
function findingOf({ code, severity, path, line, column, message, hint }: Issue) {
  return { code, severity, path, line, column, message, hint };
}

function summary(files: readonly ConfigFile[]): string {
  const count = (wanted: Issue['severity']) =>
    files.flatMap(({ issues }) => issues).filter(({ severity }) => severity === wanted).length;
  const found = [words(count('error'), 'error'), words(count('warning'), 'warning')];
  const told = found.filter((text) => !text.startsWith('0 '));
  return `${words(files.length, 'file')}: ${told.length === 0 ? 'ok' : told.join(', ')}`;
}

function words(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
