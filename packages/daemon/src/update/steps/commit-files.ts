import { inParallel } from '../../in-parallel.ts';
import { observePath } from '../../observe.ts';
import { sameImage } from '../../state/image.ts';
import { applyImage, commitStaged } from '../apply-image.ts';
import type { Step } from '../step.ts';
import { reloadUndoneUnits } from './reload-undone-units.ts';

/** Puts everything that was staged into its place by renames, links, and removals. */
export const commitFiles: Step = {
  name: 'commit files',
  code: 'daemon.write-failed',

  async isDone({ host, journal }) {
    for (const { path, after } of journal().plan.paths) {
      if (!sameImage(await observePath(host, path), after)) return false;
    }
    return true;
  },

  async apply(context) {
    const { plan, staged } = context.journal();
    const byPath = new Map(staged.map((file) => [file.path, file]));
    await inParallel(plan.paths, async ({ path, after }) => {
      const file = byPath.get(path);
      if (file !== undefined && (await commitStaged(context, file))) return;
      await applyImage(context, path, after);
    });
  },

  async undo(context) {
    for (const { path, before } of [...context.journal().plan.paths].reverse()) {
      await applyImage(context, path, before);
    }
  },

  afterUndo: reloadUndoneUnits,
};
