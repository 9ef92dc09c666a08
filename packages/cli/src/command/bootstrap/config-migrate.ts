import { writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { describeError, UserError } from '@slipway/base';
import { migrateFile } from '@slipway/bootstrap';
import type { CliErrorCode } from '../../errors.ts';
import { inputName } from '../input-name.ts';
import type { CommandContext } from '../program.ts';
import { findingLine, loadOptions, type ReadFlags, readConfiguration } from './config-source.ts';
import { createGround, type GroundFlags, rootOf } from './ground.ts';
import { findInput } from './input-file.ts';

export type MigrateFlags = ReadFlags & {
  readonly oldConfig: string;
  readonly newConfig?: string;
};

/**
 * Rewrites a configuration as v1beta4. The new file has the mode of kubeadm's, 0644, but for the umask.
 * @throws UserError `cli.bootstrap.configuration`, `cli.bootstrap.input`
 */
export async function migrateConfiguration(
  flags: MigrateFlags,
  context: CommandContext,
): Promise<void> {
  const { oldConfig, newConfig } = flags;
  const text = await readConfiguration(context, flags, '--old-config', oldConfig);
  const ground = createGround(context, flags);
  const { value, issues } = await migrateFile({ text, ground, load: loadOptions(flags) });
  for (const issue of issues) context.output.problem(findingLine(issue, oldConfig));
  if (value === undefined) {
    const code: CliErrorCode = 'cli.bootstrap.configuration';
    throw new UserError(`migrate ${inputName(oldConfig)}: it is refused for the reasons above`, {
      code,
    });
  }
  if (newConfig === undefined) context.output.line(value.trimEnd());
  else await write(newConfig, value, flags, context);
}

async function write(
  path: string,
  text: string,
  flags: GroundFlags,
  context: CommandContext,
): Promise<void> {
  try {
    await writeFile(await placeOf(path, flags, context), text, { mode: 0o644 });
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const code: CliErrorCode = 'cli.bootstrap.input';
    throw new UserError(`write --new-config ${path}: ${describeError(cause)}`, { code, cause });
  }
}

/** Its folder is looked for as that of a file to read: inside the rootfs, then as given. */
async function placeOf(path: string, flags: GroundFlags, context: CommandContext): Promise<string> {
  if (!isAbsolute(path)) return resolve(context.environment.workingDirectory, path);
  if (rootOf(context, flags) === '/') return path;
  const folder = await findInput(context, flags, '--new-config', dirname(path));
  return join(folder, path.slice(dirname(path).length));
}
