import { describeError } from '@slipway/base';
import type { UpdateContext } from '../step.ts';

const unitDirectory = '/etc/systemd/system/';

/**
 * Loads unit files anew after they were put back, where systemd has others in memory. What fails here
 * is not the first cause.
 */
export async function reloadUndoneUnits({ host, logger, journal }: UpdateContext): Promise<void> {
  const units = touchedUnits(journal().plan.paths.map(({ path }) => path));
  try {
    for (const unit of units) {
      // A template is never loaded itself, so systemd cannot tell; its instances are.
      const isTemplate = unit.includes('@.');
      if (!isTemplate && !(await host.systemd.status(unit)).needDaemonReload) continue;
      await host.systemd.daemonReload();
      return;
    }
  } catch (error) {
    logger.warn('reload after undo failed', { error: describeError(error) });
  }
}

/** Units whose file or drop-ins are among the paths. */
function touchedUnits(paths: readonly string[]): ReadonlySet<string> {
  const names = paths
    .filter((path) => path.startsWith(unitDirectory))
    .map((path) => path.slice(unitDirectory.length).split('/')[0] ?? '')
    .map((name) => name.replace(/\.d$/, ''))
    .filter((name) => /\.[a-z]+$/.test(name) && !/\.(?:wants|requires)$/.test(name));
  return new Set(names);
}
