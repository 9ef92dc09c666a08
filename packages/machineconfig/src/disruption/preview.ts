import type { Issue } from '@slipway/base';
import {
  type ChangeKind,
  type ConfigDiff,
  diffConfigs,
  type HostConfig,
} from '../diff/config-diff.ts';
import { type HostAbilities, reconcilable } from '../diff/reconcilable.ts';
import { issueCode } from '../errors.ts';
import { describeAction, planDisruption } from './plan.ts';
import type { DisruptionPolicy } from './policy.ts';

/** What one change, or all together, disrupt. */
export type Disruption = {
  /** In the order of execution, in words: `Restart chronyd.service`. */
  readonly actions: readonly string[];
  readonly drain: boolean;
  readonly reboot: boolean;
  /** False: the host cannot get there; `reasons` say why. */
  readonly reconcilable: boolean;
  readonly reasons: readonly string[];
};

export type PreviewedChange = Disruption & {
  readonly subject: 'file' | 'unit' | 'sshkey' | 'kernelArguments' | 'force';
  /** Path or unit name; empty for SSH keys and kernel arguments. */
  readonly name: string;
  readonly change: ChangeKind;
  /** What differs, where the file or unit is in both. */
  readonly fields: readonly string[];
  /** Which rule decided, in words: `policy for /etc/chrony.conf`. */
  readonly rule: string;
  /** Nothing is told of the change. */
  readonly inert: boolean;
};

export type PlanPreview = Disruption & {
  readonly changes: readonly PreviewedChange[];
  /** Files that will be inert; paths are those of the desired configuration. */
  readonly warnings: readonly Issue[];
};

/** What happens on a host that has `before` and shall have `after`: for each change, and all together. */
export function previewPlan(
  before: HostConfig,
  after: HostConfig,
  policy: DisruptionPolicy,
  abilities: HostAbilities = {},
): PlanPreview {
  const diff = diffConfigs(before, after);
  const { inert } = planDisruption(diff, policy);
  const changes = singleChanges(diff).map((single): PreviewedChange => {
    const [cause] = planDisruption(single, policy).causes;
    const subject = cause?.subject ?? 'file';
    const name = cause?.name ?? '';
    return {
      subject,
      name,
      ...changeOf(single),
      rule: ruleOf(cause),
      ...disruptionOf(single, policy, abilities),
      inert: subject === 'file' && inert.includes(name),
    };
  });
  const warnings = changes
    .filter((change) => change.inert)
    .map((change) => inertWarning(change, after));
  return { ...disruptionOf(diff, policy, abilities), changes, warnings };
}

function disruptionOf(
  diff: ConfigDiff,
  policy: DisruptionPolicy,
  abilities: HostAbilities,
): Disruption {
  const { actions, drain, reboot } = planDisruption(diff, policy);
  const reasons = reconcilable(diff, abilities).map(({ message }) => message);
  return {
    actions: actions.map(describeAction),
    drain,
    reboot,
    reconcilable: reasons.length === 0,
    reasons,
  };
}

/** The same differences one by one. */
function singleChanges({ files, units, sshKeys, kernelArguments }: ConfigDiff) {
  const nothing: ConfigDiff = { files: [], units: [] };
  return [
    ...files.map((file): ConfigDiff => ({ ...nothing, files: [file] })),
    ...units.map((unit): ConfigDiff => ({ ...nothing, units: [unit] })),
    ...(sshKeys === undefined ? [] : [{ ...nothing, sshKeys }]),
    ...(kernelArguments === undefined ? [] : [{ ...nothing, kernelArguments }]),
  ];
}

function changeOf({ files, units }: ConfigDiff): Pick<PreviewedChange, 'change' | 'fields'> {
  const [only] = [...files, ...units];
  return { change: only?.change ?? 'changed', fields: only?.fields ?? [] };
}

type Cause = ReturnType<typeof planDisruption>['causes'][number];

function ruleOf(cause: Cause | undefined): string {
  if (cause === undefined) return '';
  if (cause.subject === 'kernelArguments') return 'kernel arguments need a reboot';
  if (cause.subject === 'sshkey') return 'policy for SSH keys';
  return cause.rule === 'default' ? `default for ${cause.policy}` : `policy for ${cause.policy}`;
}

function inertWarning({ name, rule }: PreviewedChange, after: HostConfig): Issue {
  const index = after.ignition.files.findIndex(({ path }) => path === name);
  const list = 'spec.config.storage.files';
  return {
    code: issueCode.inert,
    severity: 'warning',
    path: index < 0 ? list : `${list}[${index}]`,
    message: `${name} will be inert: ${rule} is None, so no service is told of the change`,
    hint: 'add a node disruption policy for the path to MachineConfiguration cluster first',
  };
}
