import type { Host } from '@slipway/host';
import type { Step } from '../step.ts';
import type { UpdatePlan } from '../update-plan.ts';
import { isRunning } from './run-action.ts';

/** Where a unit file may come from other than /etc; a unit found here lives on without ours. */
const otherUnitDirectories = [
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/**
 * A unit whose last file goes cannot be restarted or reloaded afterwards: where the policy asks for
 * that, it is stopped, while its own file still says how (ExecStop).
 */
export const stopVanishingUnits: Step = {
  name: 'stop units that go',
  code: 'daemon.action-failed',

  isDone: () => Promise.resolve(false),

  async apply({ host, journal }) {
    for (const unit of await vanishingUnits(host, journal().plan)) {
      const { activeState } = await host.systemd.status(unit);
      if (isRunning(activeState)) await host.systemd.stop(unit);
    }
  },

  undo: () => Promise.resolve(),

  /** With its file back, what was running runs again. */
  async afterUndo({ host, journal }) {
    for (const unit of await vanishingUnits(host, journal().plan)) {
      if (journal().services[unit]?.active !== true) continue;
      const { activeState } = await host.systemd.status(unit);
      if (!isRunning(activeState)) await host.systemd.start(unit);
    }
  },
};

async function vanishingUnits(host: Host, plan: UpdatePlan): Promise<readonly string[]> {
  const services = plan.actions.flatMap((action) => ('service' in action ? [action.service] : []));
  const vanishing: string[] = [];
  for (const service of new Set(services)) {
    const gone = plan.paths.some(
      ({ path, after }) => path === `/etc/systemd/system/${service}` && after.type === 'absent',
    );
    if (gone && !(await isProvidedElsewhere(host, service))) vanishing.push(service);
  }
  return vanishing;
}

async function isProvidedElsewhere(host: Host, unit: string): Promise<boolean> {
  for (const directory of otherUnitDirectories) {
    if ((await host.files.stat(`${directory}/${unit}`)) !== undefined) return true;
  }
  return false;
}
