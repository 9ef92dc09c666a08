import type { CustomResourceDefinition } from '../../kubernetes/types.ts';
import { ageColumn, atomicList, definition, integer, object, text } from './schema.ts';
import { strictConditions } from './strict-conditions.ts';

const finding = object(
  'One difference.',
  {
    path: text('Absolute path, or the name of a unit.'),
    kind: text('What differs.', {
      enum: ['missing', 'content', 'mode', 'owner', 'type', 'enablement', 'mask', 'unexpected'],
    }),
    expected: text('Digest or value that is declared.'),
    actual: text('Digest or value that was found.'),
  },
  { required: ['path', 'kind'] },
);

const blocker = object(
  'One pod that the drain waits for.',
  {
    namespace: text('Namespace of the pod.'),
    pod: text('Name of the pod.'),
    podDisruptionBudget: text('PodDisruptionBudget that refuses the eviction.'),
    owner: text('Who owns the pod, as Kind/name.'),
    message: text('Why the pod is still there.'),
  },
  { required: ['namespace', 'pod', 'message'] },
);

const status = object('What is going on on the node.', {
  observedGeneration: integer('Generation of the spec that this status is about.', {
    format: 'int64',
  }),
  configVersion: object('Rendered MachineConfigs.', {
    current: text('What the node has.'),
    desired: text('What the node is working towards.'),
  }),
  conditions: strictConditions('Phases of the update, and whether the node is degraded.'),
  drift: atomicList('Where the host differs from what is declared.', finding),
  plannedActions: atomicList('What the update in progress will do, in order.', { type: 'string' }),
  drainBlockers: atomicList('Pods that the drain of this node waits for.', blocker),
  lastError: object(
    'First cause of the last failure.',
    {
      code: text('Stable code of the failure.'),
      message: text('What went wrong.'),
      time: text('When it went wrong.', { format: 'date-time' }),
    },
    { required: ['code', 'message'] },
  ),
});

export const machineConfigNodeDefinition: CustomResourceDefinition = definition({
  kind: 'MachineConfigNode',
  shortName: 'mcn',
  description:
    'What machine configuration does on one node. Written by slipway; the name is the name of the node.',
  rules: [
    {
      rule: '!has(self.spec) || !has(self.spec.node) || self.spec.node.name == self.metadata.name',
      message: 'spec.node.name must be the name of the object',
    },
  ],
  spec: object('Which node, and what it shall have.', {
    node: object('The node.', { name: text('Name of the node.') }, { required: ['name'] }),
    pool: object(
      'The pool that the node belongs to.',
      { name: text('Name of the pool.') },
      { required: ['name'] },
    ),
    configVersion: object(
      'The target.',
      { desired: text('Rendered MachineConfig that the node shall have.') },
      { required: ['desired'] },
    ),
  }),
  status,
  columns: [
    { name: 'Pool', type: 'string', jsonPath: '.spec.pool.name' },
    { name: 'Desired', type: 'string', jsonPath: '.spec.configVersion.desired' },
    { name: 'Current', type: 'string', jsonPath: '.status.configVersion.current' },
    {
      name: 'Updated',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Updated")].status',
      description: 'The node has what it shall have.',
    },
    {
      name: 'Degraded',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="NodeDegraded")].status',
      description: 'The node reports a failure.',
    },
    ageColumn,
  ],
});
