import type { Image } from '../state/image.ts';

/** One path that changes. Its contents are found by digest: in the target, or among the saved ones. */
export type PathChange = {
  readonly path: string;
  readonly before: Image;
  readonly after: Image;
};

/** What happens to the links of one unit. */
export type UnitChange = {
  readonly name: string;
  /** systemd's word before the update. */
  readonly before: string;
  /** Links of the old [Install] go before the file is replaced, so that none is left behind. */
  readonly disableFirst: boolean;
  /** Links of an enabled unit that are missing or lead elsewhere, with what they led to. */
  readonly brokenLinks?: readonly { readonly path: string; readonly target?: string }[];
  readonly after: 'enable' | 'disable' | 'preset' | 'keep';
};

export type PlannedAction =
  | { readonly type: 'DaemonReload' }
  | { readonly type: 'Reload' | 'Restart'; readonly service: string };

/** Everything that an update will do, in order. Plain JSON: it is journaled before the first write. */
export type UpdatePlan = {
  /** Absent: adoption. */
  readonly from?: string;
  readonly to: string;
  /** True when the force file asked for everything to be written again. */
  readonly forced: boolean;
  /** In order of writing; those that leave the configuration last. */
  readonly paths: readonly PathChange[];
  /** Paths and units that become managed: what is there now is their original. */
  readonly adoptedPaths: readonly PathChange['path'][];
  readonly adoptedUnits: readonly string[];
  /** Paths and units that cease to be managed. */
  readonly releasedPaths: readonly string[];
  readonly releasedUnits: readonly string[];
  readonly units: readonly UnitChange[];
  readonly actions: readonly PlannedAction[];
  readonly drain: boolean;
  readonly reboot: boolean;
};

/** `Restart chronyd.service`, `DaemonReload`. */
export function describeAction(action: PlannedAction): string {
  return action.type === 'DaemonReload' ? action.type : `${action.type} ${action.service}`;
}

/** The plan's actions as text, drain first and reboot last. */
export function describeActions(plan: UpdatePlan): readonly string[] {
  return [
    ...(plan.drain ? ['Drain'] : []),
    ...plan.actions.map(describeAction),
    ...(plan.reboot ? ['Reboot'] : []),
  ];
}
