import { type FileAttributes, parentPath, type StagedFile } from '@slipway/host';
import { inParallel } from '../../in-parallel.ts';
import { contentOf } from '../apply-image.ts';
import type { Step, UpdateContext } from '../step.ts';

const plainDirectory: FileAttributes = { mode: 0o755, uid: 0, gid: 0 };

/** Makes the missing directories and writes every new file beside its target, whole and synced. */
export const stageFiles: Step = {
  name: 'stage files',
  code: 'daemon.write-failed',

  isDone: () => Promise.resolve(false),

  async apply(context) {
    const { plan, newDirectories } = context.journal();
    await discardAll(context);
    for (const directory of newDirectories) {
      const { after } = plan.paths.find(({ path }) => path === directory) ?? {};
      const attributes = after?.type === 'directory' ? after : plainDirectory;
      await context.host.files.makeDirectory(directory, attributes);
    }
    const staged: StagedFile[] = [];
    try {
      await inParallel(plan.paths, async ({ path, after }) => {
        if (after.type !== 'file') return;
        const content = await contentOf(context, after.digest);
        staged.push(await context.host.files.stage(path, content, after));
      });
      await context.record({ staged });
    } catch (error) {
      // Not in the journal yet, so nobody else would know them.
      for (const file of staged) await context.host.files.discard(file);
      throw error;
    }
  },

  async undo(context) {
    await discardAll(context);
    for (const directory of [...context.journal().newDirectories].reverse()) {
      await context.host.files.removeDirectory(directory);
    }
  },
};

/** Removes what was staged, journaled or not: a crash may have come before the journal was written. */
async function discardAll(context: UpdateContext): Promise<void> {
  for (const staged of context.journal().staged) await context.host.files.discard(staged);
  await removeTemporaries(context);
}

/** Removes temporaries that an interrupted update left beside its targets. */
export async function removeTemporaries(context: UpdateContext): Promise<void> {
  const paths = context.journal().plan.paths.map(({ path }) => path);
  for (const directory of new Set(paths.map(parentPath))) {
    await context.host.files.removeStaleTemporaries(directory);
  }
}
