import type { DisruptionAction } from '@slipway/api';
import type { ConfigDiff } from '../diff/config-diff.ts';
import { type DisruptionPolicy, fileMatch, type PolicyMatch, unitMatch } from './policy.ts';

/** Why an action is part of a plan: what changed, and which rule said what to do. */
export type PlanCause = PolicyMatch & {
  readonly subject: 'file' | 'unit' | 'sshkey' | 'kernelArguments' | 'force';
  /** Path or unit name; empty for SSH keys, kernel arguments and force. */
  readonly name: string;
};

/** What is executed on a host, in this order; neither None nor Drain occur. */
export type ExecutedAction =
  | Exclude<DisruptionAction, { type: 'None' | 'Reboot' | 'Drain' | 'DaemonReload' }>
  | {
      readonly type: 'Reboot' | 'DaemonReload';
    };

export type DisruptionPlan = {
  /** A single Reboot; or DaemonReload first, then each service once; or nothing. */
  readonly actions: readonly ExecutedAction[];
  readonly reboot: boolean;
  /** Pods are evicted before anything is changed. */
  readonly drain: boolean;
  readonly causes: readonly PlanCause[];
  /** Files that change without anything being told: their only action is None and nothing reboots. */
  readonly inert: readonly string[];
};

const reboot: readonly DisruptionAction[] = [{ type: 'Reboot' }];

function causesOf(diff: ConfigDiff, policy: DisruptionPolicy): readonly PlanCause[] {
  const files = diff.files.map(({ path }): PlanCause => {
    return { subject: 'file', name: path, ...fileMatch(path, policy) };
  });
  const units = diff.units.map(({ name }): PlanCause => {
    return { subject: 'unit', name, ...unitMatch(name, policy) };
  });
  const causes = [...files, ...units];
  if (diff.sshKeys !== undefined)
    causes.push({
      subject: 'sshkey',
      name: '',
      rule: 'exact',
      policy: 'sshkey',
      actions: policy.sshkey,
    });
  if (diff.kernelArguments !== undefined)
    causes.push({
      subject: 'kernelArguments',
      name: '',
      rule: 'default',
      policy: 'kernelArguments',
      actions: reboot,
    });
  return causes;
}

/** Each service once: a restart says more than a reload; the order is that of first mention. */
function serviceActions(actions: readonly DisruptionAction[]): readonly ExecutedAction[] {
  const services = new Map<string, ExecutedAction>();
  for (const action of actions) {
    if (action.type === 'Restart') services.set(action.restart.serviceName, action);
    if (action.type === 'Reload' && !services.has(action.reload.serviceName))
      services.set(action.reload.serviceName, action);
  }
  return [...services.values()];
}

function planOf(causes: readonly PlanCause[]): DisruptionPlan {
  const all = causes.flatMap(({ actions }) => actions);
  const has = (type: DisruptionAction['type']) => all.some((action) => action.type === type);
  if (has('Reboot'))
    return { actions: [{ type: 'Reboot' }], reboot: true, drain: true, causes, inert: [] };
  const reload: readonly ExecutedAction[] = has('DaemonReload') ? [{ type: 'DaemonReload' }] : [];
  const inert = causes.filter(
    ({ subject, actions }) => subject === 'file' && actions.every(({ type }) => type === 'None'),
  );
  return {
    actions: [...reload, ...serviceActions(all)],
    reboot: false,
    drain: has('Drain'),
    causes,
    inert: inert.map(({ name }) => name),
  };
}

/** What a change disrupts: Reboot supersedes everything; no difference, no action. */
export function planDisruption(diff: ConfigDiff, policy: DisruptionPolicy): DisruptionPlan {
  return planOf(causesOf(diff, policy));
}

/** The plan of a forced reapplication: drain and reboot, whatever changed. */
export function planForced(): DisruptionPlan {
  return planOf([{ subject: 'force', name: '', rule: 'exact', policy: 'force', actions: reboot }]);
}

/** `Restart chronyd.service`, `DaemonReload`: the words of MachineConfigNode's plannedActions. */
export function describeAction(action: DisruptionAction): string {
  switch (action.type) {
    case 'Restart':
      return `Restart ${action.restart.serviceName}`;
    case 'Reload':
      return `Reload ${action.reload.serviceName}`;
    default:
      return action.type;
  }
}
