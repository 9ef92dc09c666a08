import type { ResourceDefinition, User } from '../contract.ts';
import type { ResourcePath } from '../request/request-path.ts';
import { invalid } from '../status/status-errors.ts';
import type { WriteContext } from './write-context.ts';

/** An authorized request about a served kind. */
export type ResourceCall = {
  readonly definition: ResourceDefinition;
  readonly at: ResourcePath;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly accept: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
};

/** How unknown and duplicate fields are treated; default Warn. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

function unsupported(kind: string, field: string, value: string, supported: string): never {
  throw invalid({ group: 'meta.k8s.io', kind }, '', [
    {
      reason: 'FieldValueNotSupported',
      field,
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
    },
  ]);
}

/** Reads `fieldValidation=`; throws 422. */
export function fieldValidationOf(call: ResourceCall, optionsKind: string): FieldValidation {
  const value = call.query.get('fieldValidation') ?? '';
  if (value === '') return 'Warn';
  if (value === 'Ignore' || value === 'Warn' || value === 'Strict') return value;
  return unsupported(optionsKind, 'fieldValidation', value, '"", "Ignore", "Strict", "Warn"');
}

/** The context of a write with `dryRun=` read; throws 422. */
export function writeContext(call: ResourceCall, optionsKind: string): WriteContext {
  const dryRun = call.query.getAll('dryRun').filter((value) => value !== '');
  for (const value of dryRun) {
    if (value !== 'All') unsupported(optionsKind, 'dryRun', value, '"All"');
  }
  const fieldManager = call.query.get('fieldManager');
  return {
    user: call.user,
    dryRun: dryRun.length > 0,
    warnings: [],
    options: {
      kind: optionsKind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length > 0 ? { dryRun } : {}),
      ...(fieldManager === null ? {} : { fieldManager }),
    },
  };
}
