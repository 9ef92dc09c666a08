import type { MachineConfiguration } from '@slipway/api';
import { formatIssue, hasErrors } from '@slipway/base';
import {
  declaredPolicies,
  machineConfigurationIssues,
  setConditions,
} from '@slipway/machineconfig';

type PolicyStatus = NonNullable<MachineConfiguration['status']>;

/**
 * The status of the cluster's MachineConfiguration: the policies that daemons follow. An invalid spec
 * leaves the policies of the last valid one in force and says so.
 */
export function policyStatus(configuration: MachineConfiguration, now: string): PolicyStatus {
  const issues = machineConfigurationIssues(configuration);
  const before = configuration.status;
  const words = issues.map(formatIssue).join('; ');
  const refused = hasErrors(issues);
  const message = words === '' ? 'the disruption policy is in force' : words;
  const reason = refused ? 'InvalidPolicy' : 'PolicyInForce';
  const status = refused ? 'False' : 'True';
  const clusterPolicies = refused
    ? before?.nodeDisruptionPolicyStatus?.clusterPolicies
    : declaredPolicies(configuration);
  return {
    ...before,
    // An invalid spec is observed too: daemons go on with what is in force instead of waiting for ever.
    observedGeneration: configuration.metadata?.generation ?? 0,
    ...(clusterPolicies === undefined ? {} : { nodeDisruptionPolicyStatus: { clusterPolicies } }),
    conditions: setConditions(
      before?.conditions,
      [{ type: 'Ready', status, reason, message: message.slice(0, 32_768) }],
      now,
    ),
  };
}
