import type {
  DefaultDisruptionActions,
  DisruptionAction,
  MachineConfiguration,
  NodeDisruptionPolicy,
} from '@slipway/api';

/** What changes disrupt, ready for lookups. */
export type DisruptionPolicy = {
  readonly files: ReadonlyMap<string, readonly DisruptionAction[]>;
  readonly units: ReadonlyMap<string, readonly DisruptionAction[]>;
  readonly sshkey: readonly DisruptionAction[];
  /** Where no policy matches. */
  readonly defaults: DefaultDisruptionActions;
};

/** Which rule decided: `exact` and `directory` come from a policy, `default` from the fallback of the class. */
export type PolicyMatch = {
  readonly rule: 'exact' | 'directory' | 'default';
  /** Path or name of the policy; the class for a default. */
  readonly policy: string;
  readonly actions: readonly DisruptionAction[];
};

const none: readonly DisruptionAction[] = [{ type: 'None' }];
const fallback: DefaultDisruptionActions = { files: none, units: [{ type: 'Reboot' }] };

/** A path without slashes at its end, as policies are looked up by. */
export function policyKey(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

/** The policy that a MachineConfiguration's spec declares, with SSH keys None where it does not say. */
export function declaredPolicies(
  configuration: MachineConfiguration | undefined,
): NodeDisruptionPolicy {
  const declared = configuration?.spec?.nodeDisruptionPolicy ?? {};
  return { ...declared, sshkey: declared.sshkey ?? { actions: none } };
}

/** True when the status was written for the present spec; until then daemons wait. */
export function isPolicyObserved(configuration: MachineConfiguration): boolean {
  return configuration.status?.observedGeneration === (configuration.metadata?.generation ?? 0);
}

function build(policies: NodeDisruptionPolicy, configuration: MachineConfiguration | undefined) {
  return {
    files: new Map((policies.files ?? []).map((entry) => [policyKey(entry.path), entry.actions])),
    units: new Map((policies.units ?? []).map((entry) => [entry.name, entry.actions])),
    sshkey: policies.sshkey?.actions ?? none,
    defaults: configuration?.spec?.defaultNodeDisruptionPolicySpecAction ?? fallback,
  };
}

/**
 * The policy in force: `status.nodeDisruptionPolicyStatus.clusterPolicies` once it was written, else what
 * the spec declares. Without a MachineConfiguration: files None, units Reboot, SSH keys None.
 */
export function policyInForce(configuration: MachineConfiguration | undefined): DisruptionPolicy {
  const written = configuration?.status?.nodeDisruptionPolicyStatus?.clusterPolicies;
  return build(written ?? declaredPolicies(configuration), configuration);
}

/** What the spec declares, for previews of a policy that is not in force yet. */
export function policyDeclared(configuration: MachineConfiguration | undefined): DisruptionPolicy {
  return build(declaredPolicies(configuration), configuration);
}

/** Directories above an absolute path, nearest first, the root last. */
function parents(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1);
  return [...parts.keys(), parts.length]
    .reverse()
    .map((count) => `/${parts.slice(0, count).join('/')}`);
}

/** Exact path, else the longest directory by path components, else the default for files. */
export function fileMatch(path: string, policy: DisruptionPolicy): PolicyMatch {
  const exact = policy.files.get(path);
  if (exact !== undefined) return { rule: 'exact', policy: path, actions: exact };
  for (const directory of parents(path)) {
    const actions = policy.files.get(directory);
    if (actions !== undefined) return { rule: 'directory', policy: directory, actions };
  }
  return { rule: 'default', policy: 'files', actions: policy.defaults.files };
}

/** Exact name, else the default for units. */
export function unitMatch(name: string, policy: DisruptionPolicy): PolicyMatch {
  const actions = policy.units.get(name);
  return actions === undefined
    ? { rule: 'default', policy: 'units', actions: policy.defaults.units }
    : { rule: 'exact', policy: name, actions };
}
