import { type Host, type HostPath, parentPath } from '@slipway/host';
import { unitDirectory } from '@slipway/ignition';
import { isEnabled } from '../../drift/enablement.ts';
import type { Step } from '../step.ts';

/**
 * Takes away the links of units whose [Install] section changes, while the old file is still there to
 * name them; links of the old section would outlive it.
 */
export const unlinkUnits: Step = {
  name: 'disable units that change',
  code: 'daemon.unit-links-failed',

  isDone: () => Promise.resolve(false),

  async apply({ host, journal }) {
    for (const unit of journal().plan.units) {
      if (unit.disableFirst) await host.systemd.disable(unit.name);
    }
  },

  /** Runs with the old files back in place, so it also repairs what `linkUnits` disabled. */
  async undo({ host, journal }) {
    for (const { name, before, brokenLinks = [] } of journal().plan.units) {
      if (!isEnabled(before)) continue;
      const now = await host.systemd.status(name);
      if (!isEnabled(now.unitFileState)) await host.systemd.enable(name);
      for (const link of brokenLinks) await breakAgain(host, link);
    }
  },
};

/** What was changed by hand is there again, as it is with files. */
async function breakAgain(
  { files }: Host,
  { path, target }: { readonly path: HostPath; readonly target?: string },
): Promise<void> {
  const folder = parentPath(path);
  if (target !== undefined) {
    await files.makeDirectory(folder, { mode: 0o755, uid: 0, gid: 0 });
    return files.symlink(path, target);
  }
  await files.remove(path);
  if (folder !== unitDirectory) await files.removeDirectory(folder);
}
