import { diffManifests, loadPatches, targetManifests } from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import type { ClusterFlags } from './cluster-access.ts';
import { createGround } from './ground.ts';
import { findInputDirectory } from './input-file.ts';
import { openUpgrade } from './upgrade-source.ts';
import { upgradeVersion } from './upgrade-version.ts';

export type UpgradeDiffFlags = ClusterFlags & {
  readonly config?: string;
  readonly contextLines?: number;
  readonly patches?: string;
};

/** `upgrade diff`: the manifests of this node, against those of another version. */
export async function printUpgradeDiff(
  target: string | undefined,
  flags: UpgradeDiffFlags,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const ground = createGround(context, flags);
  await using source = await openUpgrade(flags, ground, context);
  const settings = await source.node();
  const { diff, apply } = source.configuration;
  const version = upgradeVersion(
    target ?? diff.kubernetesVersion ?? settings.cluster.kubernetesVersion,
  );
  const directory = flags.patches ?? apply.patches?.directory;
  const patches = directory === undefined ? [] : await readPatches(directory, flags, context);
  const targets = await targetManifests(settings, version, ground, patches);
  const contextLines = flags.contextLines ?? diff.contextLines;
  const differences = await diffManifests(ground.files, targets, contextLines);
  for (const { lines } of differences) for (const line of lines) output.line(line);
  if (differences.every(({ lines }) => lines.length === 0)) {
    output.problem(`the static pods of this node are those of ${version}`);
  }
}

async function readPatches(directory: string, flags: UpgradeDiffFlags, context: CommandContext) {
  const place = await findInputDirectory(context, flags, '--patches', directory);
  return (await loadPatches(place.files, place.path)).patches;
}
