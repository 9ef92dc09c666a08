import type { CustomResourceDefinition, JsonSchema } from '../../kubernetes/types.ts';
import { roleLabel } from '../group.ts';
import { labelSelector, poolConfiguration } from './references.ts';
import {
  ageColumn,
  atomicList,
  type Column,
  definition,
  integer,
  keyedList,
  object,
  rules,
  text,
} from './schema.ts';

const spec = object('What the pool selects and how its nodes are updated.', {
  machineConfigSelector: labelSelector(
    'Which MachineConfigs are merged for this pool. A pool other than master and worker must select role worker too.',
  ),
  nodeSelector: labelSelector('Which nodes belong to the pool.'),
  maxUnavailable: {
    description:
      'How many nodes of the pool may be unavailable at once: a number, or a percentage such as "10%" that is rounded down. At least 1; default 1. Nodes that are not ready or cordoned count. To stop updates use paused.',
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
  },
  paused: {
    type: 'boolean',
    description: 'Stops giving nodes a new target. Rendering goes on. Default false.',
  },
  configuration: poolConfiguration(
    'The rendered MachineConfig that nodes of the pool shall have. Written by slipway.',
  ),
});

function count(description: string): JsonSchema {
  return integer(description, { format: 'int32' });
}

function wideCount(description: string): JsonSchema {
  return integer(description, { format: 'int64', minimum: 0 });
}

function atLeast(larger: string, smaller: string) {
  return {
    rule: `self.${larger} >= self.${smaller}`,
    message: `${larger} is less than ${smaller}`,
  };
}

const synchronizer = object(
  'Progress of one synchronizer.',
  {
    poolSynchronizerType: text('Which synchronizer.', {
      enum: ['PinnedImageSets'],
      maxLength: 256,
    }),
    machineCount: wideCount('Nodes that the synchronizer looks after.'),
    updatedMachineCount: wideCount('Nodes that it has updated.'),
    readyMachineCount: wideCount('Nodes that are updated and ready.'),
    availableMachineCount: wideCount('Nodes that are available.'),
    unavailableMachineCount: wideCount('Nodes that are not available.'),
    observedGeneration: integer('Generation that it last acted on.', {
      format: 'int64',
      minimum: 0,
      ...rules({
        rule: 'self >= oldSelf || (self == 0 && oldSelf > 0)',
        message: 'observedGeneration may only grow, or start again at 0',
      }),
    }),
  },
  {
    required: [
      'availableMachineCount',
      'machineCount',
      'poolSynchronizerType',
      'readyMachineCount',
      'unavailableMachineCount',
      'updatedMachineCount',
    ],
    ...rules(
      atLeast('machineCount', 'updatedMachineCount'),
      atLeast('machineCount', 'availableMachineCount'),
      atLeast('machineCount', 'unavailableMachineCount'),
      atLeast('machineCount', 'readyMachineCount'),
      atLeast('availableMachineCount', 'readyMachineCount'),
    ),
  },
);

const condition = object('One aspect of the state of the pool.', {
  type: text('Updated, Updating, Degraded, NodeDegraded or RenderDegraded.'),
  status: text('True, False or Unknown.'),
  reason: text('One word that programs can act on.'),
  message: text('What people want to know: which nodes, and why.'),
  lastTransitionTime: text('When the status last changed.', {
    format: 'date-time',
    nullable: true,
  }),
});

const status = object('How far the pool is.', {
  observedGeneration: integer('Generation of the spec that this status is about.', {
    format: 'int64',
  }),
  configuration: poolConfiguration('What was last rolled out to every node of the pool.'),
  machineCount: count('All nodes of the pool.'),
  updatedMachineCount: count('Nodes that have the configuration of the pool.'),
  readyMachineCount: count('Updated nodes that are healthy and schedulable.'),
  unavailableMachineCount: count('Nodes that are not ready, cordoned or being updated.'),
  degradedMachineCount: count('Nodes that report a failure.'),
  conditions: atomicList('Aspects of the state of the pool.', condition),
  poolSynchronizersStatus: keyedList(
    'Progress of what is synchronized besides the configuration.',
    'poolSynchronizerType',
    synchronizer,
  ),
});

function conditionColumn(name: string, description: string): Column {
  const jsonPath = `.status.conditions[?(@.type=="${name}")].status`;
  return { name, type: 'string', jsonPath, description };
}

function countColumn(name: string, field: string, description: string): Column {
  return { name, type: 'number', jsonPath: `.status.${field}`, description };
}

// A rule over matchExpressions would need bounds on its lists, and objects that are valid today would
// not be any more: that half of the check is left to the webhook and to rendering.
const inheritsWorker = `self.metadata.name in ['master', 'worker'] || (has(self.spec.machineConfigSelector) && (has(self.spec.machineConfigSelector.matchExpressions) || (has(self.spec.machineConfigSelector.matchLabels) && '${roleLabel}' in self.spec.machineConfigSelector.matchLabels && self.spec.machineConfigSelector.matchLabels['${roleLabel}'] == 'worker')))`;

export const machineConfigPoolDefinition: CustomResourceDefinition = definition({
  kind: 'MachineConfigPool',
  shortName: 'mcp',
  description: 'A group of nodes that get the same configuration.',
  spec,
  status,
  specRequired: true,
  rules: [
    {
      rule: inheritsWorker,
      message: `a pool other than master and worker must also select MachineConfigs with label ${roleLabel}: worker`,
    },
  ],
  columns: [
    { name: 'Config', type: 'string', jsonPath: '.status.configuration.name' },
    conditionColumn('Updated', 'Every node of the pool has its configuration.'),
    conditionColumn('Updating', 'Some node of the pool does not have its configuration yet.'),
    conditionColumn('Degraded', 'A node, or the configuration itself, is failing.'),
    countColumn('MachineCount', 'machineCount', 'All nodes of the pool.'),
    countColumn('ReadyMachineCount', 'readyMachineCount', 'Nodes that are updated and ready.'),
    countColumn('UpdatedMachineCount', 'updatedMachineCount', 'Nodes that are updated.'),
    countColumn('DegradedMachineCount', 'degradedMachineCount', 'Nodes that report a failure.'),
    ageColumn,
  ],
});
