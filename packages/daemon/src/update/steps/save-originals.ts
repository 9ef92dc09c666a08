import type { HostPath } from '@slipway/host';
import { daemonError } from '../../failure.ts';
import { inParallel } from '../../in-parallel.ts';
import { observePath, observeUnit } from '../../observe.ts';
import { digestOf } from '../../state/digest.ts';
import { type Image, sameImage } from '../../state/image.ts';
import { readOriginals, writeOriginals } from '../../state/originals.ts';
import { declaredContent } from '../apply-image.ts';
import type { Step, UpdateContext } from '../step.ts';

/**
 * Saves what is about to change, for undoing it, and what becomes managed, for the day when it leaves
 * the configuration. Nothing of the host is written before this is durable.
 */
export const saveOriginals: Step = {
  name: 'save originals',
  code: 'daemon.write-failed',

  // No record tells whether the contents to go back to are saved; to save them twice is harmless.
  isDone: () => Promise.resolve(false),

  async apply(context) {
    const { plan, newDirectories } = context.journal();
    await inParallel(plan.paths, async ({ path, before }) => {
      if (sameImage(await saveBefore(context, path), before)) return;
      throw daemonError('daemon.write-failed', `save ${path}: it changed after the plan was made`);
    });
    const originals = await readOriginals(context.files);
    const paths = new Map(originals.paths);
    const units = new Map(originals.units);
    await inParallel(plan.adoptedPaths, async (path) => {
      paths.set(path, await savePath(context, path));
    });
    for (const unit of plan.adoptedUnits) {
      units.set(unit, (await observeUnit(context.host, unit)).unitFileState);
    }
    const directories = [...new Set([...originals.directories, ...newDirectories])];
    await writeOriginals(context.files, { paths, units, directories });
  },

  async undo(context) {
    const { plan, newDirectories } = context.journal();
    const originals = await readOriginals(context.files);
    const made = new Set(newDirectories);
    await writeOriginals(context.files, {
      paths: without(originals.paths, plan.adoptedPaths),
      units: without(originals.units, plan.adoptedUnits),
      directories: originals.directories.filter((path) => !made.has(path)),
    });
  },
};

/** What an update replaces is mostly what the previous configuration declared, and is stored with it. */
async function saveBefore(context: UpdateContext, path: HostPath): Promise<Image> {
  const image = await observePath(context.host, path);
  if (image.type !== 'file' || declaredContent(context, image.digest) !== undefined) return image;
  return savePath(context, path);
}

/** An original outlives the configurations: it is always saved. */
async function savePath(context: UpdateContext, path: HostPath): Promise<Image> {
  const image = await observePath(context.host, path);
  if (image.type !== 'file') return image;
  const content = await context.host.files.read(path);
  if (digestOf(content) !== image.digest) {
    throw daemonError('daemon.write-failed', `save ${path}: it changes while it is read`);
  }
  await context.blobs.save(image.digest, content);
  return image;
}

function without<T>(map: ReadonlyMap<string, T>, names: readonly string[]): Map<string, T> {
  const left = new Map(map);
  for (const name of names) left.delete(name);
  return left;
}
