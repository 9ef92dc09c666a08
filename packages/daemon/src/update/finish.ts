import type { HostPath } from '@slipway/host';
import type { Image } from '../state/image.ts';
import { removeJournal } from '../state/journal.ts';
import { type Originals, readOriginals, writeOriginals } from '../state/originals.ts';
import { removeStoredConfig } from '../state/stored-config.ts';
import type { UpdateContext } from './step.ts';
import { removeTemporaries } from './steps/stage-files.ts';

/** Where an administrator asks for everything to be applied again. */
export const forceFile: HostPath = '/run/machine-config-daemon-force';

/**
 * Ends an update that was applied. From here on there is no way back, and every part may run again
 * after a crash: the journal goes last.
 */
export async function finishUpdate(context: UpdateContext): Promise<void> {
  await context.record({ phase: 'finishing' });
  const { plan } = context.journal();
  await removeTemporaries(context);
  const originals = await readOriginals(context.files);
  const paths = without(originals.paths, plan.releasedPaths);
  const units = without(originals.units, plan.releasedUnits);
  const directories = await removeEmptyDirectories(context, originals.directories);
  await writeOriginals(context.files, { paths, units, directories });
  if (plan.forced) await context.host.files.remove(forceFile);
  await close(context, { paths, units, directories });
}

/** Ends an update that was undone. */
export async function closeUndone(context: UpdateContext): Promise<void> {
  await removeTemporaries(context);
  await close(context, await readOriginals(context.files));
}

async function close(context: UpdateContext, originals: Originals): Promise<void> {
  await removeJournal(context.files);
  await removeStoredConfig(context.files, 'update/target');
  await removeStoredConfig(context.files, 'update/previous');
  await context.blobs.keepOnly(digestsOf(originals.paths.values()));
}

/** Directories of our making that no longer hold a managed path go when they are empty. */
async function removeEmptyDirectories(
  { host, target }: UpdateContext,
  directories: readonly HostPath[],
): Promise<readonly HostPath[]> {
  const managed = target.expected.paths.map(({ path }) => path);
  const left: HostPath[] = [];
  for (const directory of [...directories].sort((a, b) => b.length - a.length)) {
    const needed = managed.some((path) => path === directory || path.startsWith(`${directory}/`));
    if (!needed && (await host.files.removeDirectory(directory))) continue;
    if ((await host.files.stat(directory)) !== undefined) left.push(directory);
  }
  return left.reverse();
}

function digestsOf(images: Iterable<Image>): ReadonlySet<string> {
  const digests = new Set<string>();
  for (const image of images) if (image.type === 'file') digests.add(image.digest);
  return digests;
}

function without<T>(map: ReadonlyMap<string, T>, names: readonly string[]): Map<string, T> {
  const left = new Map(map);
  for (const name of names) left.delete(name);
  return left;
}
