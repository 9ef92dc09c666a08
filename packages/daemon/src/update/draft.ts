import type { DriftFinding } from '@slipway/api';
import { formatIssue, jsonEqual } from '@slipway/base';
import type { Host } from '@slipway/host';
import { emptyIgnitionConfig } from '@slipway/ignition';
import {
  type ConfigDiff,
  type DisruptionPolicy,
  diffConfigs,
  type ExecutedAction,
  type HostConfig,
  planDisruption,
  reconcilable,
} from '@slipway/machineconfig';
import { isBlockedByDrift } from '../decide.ts';
import { expectState } from '../declaration/expect.ts';
import type { ExpectedState } from '../declaration/expected-state.ts';
import { readHostConfig } from '../declaration/read-host-config.ts';
import type { Failure } from '../errors.ts';
import { type Observation, observe } from '../observe.ts';
import { type Originals, readOriginals } from '../state/originals.ts';
import type { StateFiles } from '../state/state-files.ts';
import type { StoredConfig } from '../state/stored-config.ts';
import { type Disruption, planUpdate } from './plan.ts';
import { joinFailures, preflight } from './preflight.ts';
import type { PlannedAction } from './update-plan.ts';
import type { NewUpdate } from './updater.ts';

export type DraftInput = {
  readonly host: Host;
  readonly files: StateFiles;
  /** Absent: adoption. */
  readonly previous?: StoredConfig;
  readonly target: StoredConfig;
  readonly policy: DisruptionPolicy;
  readonly forced: boolean;
  /** Differences of the host from `previous`. */
  readonly findings: readonly DriftFinding[];
};

/** A plan that can be carried out, or why there is none. */
export type Draft =
  | { readonly kind: 'ready'; readonly update: NewUpdate }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The host was changed by hand in places that the update would leave as they are. */
  | { readonly kind: 'drifted' };

const neverManaged: HostConfig = { ignition: emptyIgnitionConfig, kernelArguments: [] };

/** Looks at the host and plans the update; writes nothing. */
export async function draftUpdate(input: DraftInput): Promise<Draft> {
  const { host, previous, target, forced } = input;
  const before = previous === undefined ? neverManaged : readHostConfig(previous);
  const after = readHostConfig(target);
  const diff = diffConfigs(before, after);
  const refusal = refuse(diff);
  if (refusal !== undefined) return { kind: 'refused', failure: refusal };
  const expected = await expectState(after, host.accounts);
  const old = previous === undefined ? undefined : await expectState(before, host.accounts);
  const originals = await readOriginals(input.files);
  const observed = await observeAll(host, [old, expected], originals);
  const plan = planUpdate({
    ...(previous === undefined || old === undefined
      ? {}
      : { from: { name: previous.name, expected: old } }),
    to: { name: target.name, expected },
    observed,
    originals,
    disruption: disruptionOf(diff, input.policy),
    forced,
  });
  const touched = touchedBy(old, expected, observed);
  if (!forced && isBlockedByDrift(input.findings, touched)) return { kind: 'drifted' };
  const [first, ...rest] = await preflight(host, plan, expected, input.files.directory);
  if (first !== undefined) return { kind: 'refused', failure: joinFailures([first, ...rest]) };
  return {
    kind: 'ready',
    update: {
      plan,
      target: { config: target, expected },
      ...(previous === undefined || old === undefined
        ? {}
        : { previous: { config: previous, expected: old } }),
    },
  };
}

/** Kernel arguments need a boot loader, and this daemon knows none yet: any change is refused. */
function refuse(diff: ConfigDiff): Failure | undefined {
  if (diff.kernelArguments !== undefined) {
    return { code: 'daemon.no-boot-loader', message: 'kernel arguments: no boot loader found' };
  }
  const [issue] = reconcilable(diff, {});
  if (issue === undefined) return undefined;
  return { code: 'daemon.irreconcilable', message: formatIssue(issue) };
}

function disruptionOf(diff: ConfigDiff, policy: DisruptionPolicy): Disruption {
  const { actions, drain, reboot } = planDisruption(diff, policy);
  return { drain, reboot, actions: actions.flatMap(plannedAction) };
}

function plannedAction(action: ExecutedAction): readonly PlannedAction[] {
  switch (action.type) {
    case 'DaemonReload':
      return [{ type: 'DaemonReload' }];
    case 'Reload':
      return [{ type: 'Reload', service: action.reload.serviceName }];
    case 'Restart':
      return [{ type: 'Restart', service: action.restart.serviceName }];
    case 'Reboot':
      return [];
  }
}

function observeAll(
  host: Host,
  states: readonly (ExpectedState | undefined)[],
  originals: Originals,
) {
  const paths = new Set(originals.paths.keys());
  const units = new Set(originals.units.keys());
  for (const state of states) {
    for (const { path } of state?.paths ?? []) paths.add(path);
    for (const { name } of state?.units ?? []) units.add(name);
  }
  return observe(host, paths, units);
}

/** Paths and units that are declared otherwise than before: what was there by hand goes with the old. */
function touchedBy(
  before: ExpectedState | undefined,
  after: ExpectedState,
  observed: Observation,
): ReadonlySet<string> {
  const touched = new Set<string>();
  const paths = new Map(after.paths.map((entry) => [entry.path, entry]));
  for (const entry of before?.paths ?? []) {
    if (!jsonEqual(entry, paths.get(entry.path))) touched.add(entry.path);
  }
  const units = new Map(after.units.map((unit) => [unit.name, unit]));
  for (const unit of before?.units ?? []) {
    if (jsonEqual(unit, units.get(unit.name))) continue;
    touched.add(unit.name);
    for (const { path } of observed.units.get(unit.name)?.brokenLinks ?? []) touched.add(path);
  }
  return touched;
}
