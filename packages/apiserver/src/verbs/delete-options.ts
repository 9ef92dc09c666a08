import type { FieldError } from '../contract.ts';
import { invalid as invalidField, notSupported } from '../schema/field-errors.ts';
import { badRequest, invalid } from '../status/status-errors.ts';
import { pruneAs } from '../types/prune.ts';
import type { DeleteOptions } from './deletion.ts';

export const deleteOptionsType = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** A longer grace than this many seconds (68 years) ends after what a time stamp can say. */
const maxGraceSeconds = 2 ** 31 - 1;
const policies = ['Background', 'Foreground', 'Orphan'];

function problemsOf(options: DeleteOptions): FieldError[] {
  const { gracePeriodSeconds: grace, propagationPolicy: policy, orphanDependents } = options;
  const errors = (options.dryRun ?? [])
    .filter((value) => value !== 'All')
    .map((value) => notSupported('dryRun', value, ['All']));
  if (grace !== undefined && grace > maxGraceSeconds) {
    const detail = `must be less than or equal to ${maxGraceSeconds}`;
    errors.push(invalidField('gracePeriodSeconds', grace, detail));
  }
  if (policy === undefined) return errors;
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidField('propagationPolicy', policy, detail));
  }
  if (!policies.includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, [...policies, 'nil']));
  }
  return errors;
}

/**
 * DeleteOptions as they arrived, checked: whoever misspells a dry run or a precondition must not lose
 * the object. Throws 400 for members of the wrong type, 422 for wrong values.
 */
export function readDeleteOptions(value: unknown): DeleteOptions {
  const { object } = pruneAs(deleteOptionsType, value, 'DeleteOptions', 'v1');
  const options: DeleteOptions = object;
  const errors = problemsOf(options);
  if (errors.length > 0) {
    throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  }
  return options;
}

/** The grace period of a query; throws 400. */
export function graceOf(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`invalid query parameter gracePeriodSeconds: ${text}`);
}
