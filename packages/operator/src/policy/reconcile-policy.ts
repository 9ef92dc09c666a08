import { machineConfigurationName, machineConfigurations } from '@slipway/api';
import { type Clock, jsonEqual } from '@slipway/base';
import type { KubeClient, Outcome, Reconcile } from '@slipway/kube';
import type { Caches } from '../caches.ts';
import type { RecordEvent } from '../record-event.ts';
import { timestamp } from '../timestamp.ts';
import { policyStatus } from './decide.ts';

export type PolicyDependencies = {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly clock: Clock;
  readonly recordEvent: RecordEvent;
};

const done: Outcome = { kind: 'done' };

/** Puts the declared disruption policy in force, or says why it is not. */
export function createPolicyReconcile(dependencies: PolicyDependencies): Reconcile {
  const { caches, client, clock, recordEvent } = dependencies;
  return async (name): Promise<Outcome> => {
    const configuration = caches.configurations.get(name);
    if (configuration === undefined || name !== machineConfigurationName) return done;
    const status = policyStatus(configuration, timestamp(clock));
    if (jsonEqual(configuration.status, status)) return done;
    const patch = {
      type: 'merge',
      body: { status: replacing(status, configuration.status) },
    } as const;
    await client.patch(machineConfigurations, name, patch, { subresource: 'status' });
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    recordEvent({
      regarding: configuration,
      type: ready?.status === 'True' ? 'Normal' : 'Warning',
      reason: ready?.reason ?? 'PolicyInForce',
      message: ready?.message ?? '',
    });
    return done;
  };
}

type Status = ReturnType<typeof policyStatus>;

/** A merge patch keeps what it does not name: policies that went are named with null. */
function replacing(status: Status, before: Status | undefined): object {
  const policies = status.nodeDisruptionPolicyStatus?.clusterPolicies;
  const old = before?.nodeDisruptionPolicyStatus?.clusterPolicies;
  if (policies === undefined || old === undefined) return status;
  const gone = Object.keys(old).filter((key) => !(key in policies));
  const clusterPolicies = { ...policies, ...Object.fromEntries(gone.map((key) => [key, null])) };
  return { ...status, nodeDisruptionPolicyStatus: { clusterPolicies } };
}
