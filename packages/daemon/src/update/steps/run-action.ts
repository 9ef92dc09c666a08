import { describeError } from '@slipway/base';
import { daemonError } from '../../failure.ts';
import type { Step, UpdateContext } from '../step.ts';
import { describeAction, type PlannedAction } from '../update-plan.ts';

/** Carries out one action of the disruption policy. */
export function runAction(action: PlannedAction): Step {
  return {
    name: describeAction(action),
    code: 'daemon.action-failed',
    isDone: (context) => wasRestarted(context, action),
    apply: (context) => perform(context, action),
    undo: (context) => stopWhatWasNotRunning(context, action),
    afterUndo: (context) => repeat(context, action),
  };
}

async function perform({ host, journal }: UpdateContext, action: PlannedAction): Promise<void> {
  if (action.type === 'DaemonReload') return host.systemd.daemonReload();
  const status = await host.systemd.status(action.service);
  // It left with the configuration and was stopped before its file went (`stopVanishingUnits`).
  if (status.loadState === 'not-found' && journal().plan.releasedUnits.includes(action.service))
    return;
  if (action.type === 'Restart') return host.systemd.restart(action.service);
  if (!status.canReload) {
    const message = `reload ${action.service}: the service cannot reload; use Restart`;
    throw daemonError('daemon.unit-cannot-reload', message);
  }
  return host.systemd.reload(action.service);
}

/** A restart shows in the invocation id; the other actions are harmless twice. */
async function wasRestarted(context: UpdateContext, action: PlannedAction): Promise<boolean> {
  if (action.type !== 'Restart') return false;
  const before = context.journal().services[action.service];
  const now = await context.host.systemd.status(action.service);
  return isRunning(now.activeState) && now.invocationId !== before?.invocationId;
}

/** A service that the update started is stopped while its new unit file still says how. */
async function stopWhatWasNotRunning(
  { host, journal }: UpdateContext,
  action: PlannedAction,
): Promise<void> {
  if (action.type === 'DaemonReload' || journal().services[action.service]?.active === true) return;
  const now = await host.systemd.status(action.service);
  if (isRunning(now.activeState)) await host.systemd.stop(action.service);
}

/** Services that were running take the old files again. What fails here is not the first cause. */
async function repeat(context: UpdateContext, action: PlannedAction): Promise<void> {
  const { logger, journal } = context;
  if (action.type !== 'DaemonReload' && journal().services[action.service]?.active !== true) return;
  try {
    await perform(context, action);
  } catch (error) {
    logger.warn('action after undo failed', {
      action: describeAction(action),
      error: describeError(error),
    });
  }
}

/** True for systemd's words for a unit that is up or on its way. */
export function isRunning(activeState: string): boolean {
  return activeState === 'active' || activeState === 'activating' || activeState === 'reloading';
}
