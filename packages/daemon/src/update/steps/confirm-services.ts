import type { UnitStatus } from '@slipway/host';
import { daemonError } from '../../failure.ts';
import type { Step } from '../step.ts';

/** How long a restarted service has to stay up before it counts, ms. */
const settleMs = 250;

/**
 * Looks again at the services that were restarted: systemd calls a simple service started as soon as
 * its process exists, even when the program then cannot be executed or ends at once.
 */
export const confirmServices: Step = {
  name: 'confirm services',
  code: 'daemon.action-failed',

  isDone: () => Promise.resolve(false),

  async apply({ host, journal, pause }) {
    const services = journal().plan.actions.flatMap((action) =>
      action.type === 'Restart' ? [action.service] : [],
    );
    if (services.length === 0) return;
    await pause(settleMs);
    for (const service of services) {
      const status = await host.systemd.status(service);
      if (!hasFailed(status)) continue;
      const seen = `${status.activeState} (${status.subState})`;
      const message = `restart ${service}: it started and is ${seen}; see journalctl -u ${service} on the host`;
      throw daemonError('daemon.action-failed', message);
    }
  },

  undo: () => Promise.resolve(),
};

/** A service with Restart= is not `failed` between two tries: it waits for the next one. */
function hasFailed({ activeState, subState }: UnitStatus): boolean {
  return activeState === 'failed' || subState === 'auto-restart';
}
