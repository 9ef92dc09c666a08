import { loadPatches, type Patch } from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import type { GroundFlags } from './ground.ts';
import { findInputDirectory } from './input-file.ts';
import { createReporter } from './reporter.ts';

/**
 * The patches of a directory that a flag or the configuration names; files in it that are no patches are
 * told. No directory: no patches.
 * @throws UserError `cli.bootstrap.input`, `bootstrap.patches.malformed`
 */
export async function openPatches(
  directory: string | undefined,
  flags: GroundFlags,
  context: CommandContext,
): Promise<readonly Patch[]> {
  if (directory === undefined) return [];
  const { files, path } = await findInputDirectory(context, flags, '--patches', directory);
  const { patches, ignored } = await loadPatches(files, path);
  const reporter = createReporter(context.output);
  for (const reason of ignored) reporter.phase('patches', `passed over: ${reason}`);
  return patches;
}
