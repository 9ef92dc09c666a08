import type { FieldError } from '../contract.ts';

/** Name that stands for an error of no field in particular. */
export const noField = '<nil>';

/** `value` as an error body shows it: numbers and booleans plain, strings quoted, the rest as JSON. */
function show(value: unknown): string {
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value);
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field: field === '' ? noField : field,
    message: `Invalid value: ${show(value)}: ${detail}`,
  };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { ...invalid(field, value, detail), reason: 'FieldValueTypeInvalid' };
}

export function required(field: string, detail = ''): FieldError {
  const message = detail === '' ? 'Required value' : `Required value: ${detail}`;
  return { reason: 'FieldValueRequired', field, message };
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${show(value)}` };
}

export function notSupported(
  field: string,
  value: unknown,
  supported: readonly unknown[],
): FieldError {
  const names = supported.map((entry) =>
    JSON.stringify(typeof entry === 'string' ? entry : JSON.stringify(entry)),
  );
  return {
    reason: 'FieldValueNotSupported',
    field: field === '' ? noField : field,
    message: `Unsupported value: ${show(value)}: supported values: ${names.join(', ')}`,
  };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return {
    reason: 'FieldValueTooLong',
    field,
    message: `Too long: may not be more than ${maxBytes} ${unit}`,
  };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items';
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${actual}: must have at most ${max} ${unit}`,
  };
}
