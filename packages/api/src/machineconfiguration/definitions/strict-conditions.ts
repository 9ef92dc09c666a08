import type { JsonSchema } from '../../kubernetes/types.ts';
import { integer, keyedList, object, text } from './schema.ts';

const condition = object(
  'One aspect of the state.',
  {
    type: text('Which aspect.', {
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
    status: text('True, False or Unknown.', { enum: ['True', 'False', 'Unknown'] }),
    reason: text('One word that programs can act on.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: text('What people want to know.', { maxLength: 32768 }),
    lastTransitionTime: text('When the status last changed.', { format: 'date-time' }),
    observedGeneration: integer('Generation of the spec that this condition is about.', {
      format: 'int64',
      minimum: 0,
    }),
  },
  { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
);

/** Conditions as the API conventions of Kubernetes have them: every field is required. */
export function strictConditions(description: string): JsonSchema {
  return keyedList(description, 'type', condition);
}
