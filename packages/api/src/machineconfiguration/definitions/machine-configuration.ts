import type { CustomResourceDefinition } from '../../kubernetes/types.ts';
import { machineConfigurationName } from '../machine-configuration.ts';
import { actionList, policies } from './disruption-actions.ts';
import { definition, integer, object } from './schema.ts';
import { strictConditions } from './strict-conditions.ts';

const defaults = object(
  'What to do where no policy matches.',
  { files: actionList('spec'), units: actionList('spec') },
  { required: ['files', 'units'] },
);

export const machineConfigurationDefinition: CustomResourceDefinition = definition({
  kind: 'MachineConfiguration',
  description: `The disruption policy of the cluster. There is one, named ${machineConfigurationName}.`,
  specRequired: true,
  rules: [
    {
      rule: `self.metadata.name == '${machineConfigurationName}'`,
      message: `the only MachineConfiguration is named ${machineConfigurationName}`,
    },
  ],
  spec: object('What changes disrupt.', {
    defaultNodeDisruptionPolicySpecAction: defaults,
    nodeDisruptionPolicy: policies('spec'),
  }),
  status: object('The policy that is in force.', {
    observedGeneration: integer('Generation of the spec that this status is about.', {
      format: 'int64',
    }),
    nodeDisruptionPolicyStatus: object('The policy that daemons follow.', {
      clusterPolicies: policies('status'),
    }),
    conditions: strictConditions('Whether the policy is valid and in force.'),
  }),
});
