import { jsonEqual } from '@slipway/base';
import type { FieldError, StoredObject, Strategy } from '../../contract.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { readObject, readPath } from '../read-path.ts';

function selectorErrors(object: StoredObject, old: StoredObject | undefined): FieldError[] {
  const selector = readPath(object, 'spec', 'selector');
  if (selector === undefined) return [required('spec.selector')];
  const labels = readObject(object, 'spec', 'template', 'metadata', 'labels');
  const wanted = Object.entries(readObject(selector, 'matchLabels'));
  const errors: FieldError[] = [];
  if (wanted.some(([key, value]) => labels[key] !== value)) {
    const text = '`selector` does not match template `labels`';
    errors.push(invalid('spec.template.metadata.labels', labels, text));
  }
  if (old !== undefined && !jsonEqual(selector, readPath(old, 'spec', 'selector'))) {
    errors.push(invalid('spec.selector', selector, 'field is immutable'));
  }
  return errors;
}

/** Workloads are stored and never run. */
export const workloadStrategy: Strategy = { validate: selectorErrors };
