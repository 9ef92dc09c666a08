import type { JsonSchema } from '../../kubernetes/types.ts';
import { atomicList, object, text } from './schema.ts';

const referenceFields: Readonly<Record<string, JsonSchema>> = {
  apiVersion: text('Group and version of the object.'),
  kind: text('Type of the object.'),
  name: text('Name of the object.'),
  namespace: text('Namespace of the object; empty for cluster-scoped ones.'),
  uid: text('UID of the object.'),
  resourceVersion: text('Version of the object that was referred to.'),
  fieldPath: text('Field inside the object, where only a part of it is meant.'),
};

/** A rendered MachineConfig and what it was made of. */
export function poolConfiguration(description: string): JsonSchema {
  const source = atomicList(
    'The MachineConfigs that were merged, in the order in which they were merged.',
    object('One of the merged MachineConfigs.', referenceFields, {
      'x-kubernetes-map-type': 'atomic',
    }),
  );
  return object(description, { ...referenceFields, source }, { 'x-kubernetes-map-type': 'atomic' });
}

const requirement = object(
  'A condition on one label.',
  {
    key: text('Name of the label.'),
    operator: text('How values are compared: In, NotIn, Exists or DoesNotExist.'),
    values: atomicList('Values for In and NotIn; empty for Exists and DoesNotExist.', {
      type: 'string',
    }),
  },
  { required: ['key', 'operator'] },
);

export function labelSelector(description: string): JsonSchema {
  return object(
    description,
    {
      matchLabels: {
        type: 'object',
        description: 'Labels that must be present with exactly these values.',
        additionalProperties: { type: 'string' },
      },
      matchExpressions: atomicList('Further conditions; all must hold.', requirement),
    },
    { 'x-kubernetes-map-type': 'atomic' },
  );
}
