import type { FieldError } from '../contract.ts';
import { invalid, tooLong, typeInvalid } from './field-errors.ts';
import { hasFormat } from './formats.ts';
import { compilePattern } from './pattern.ts';
import type { SchemaNode } from './schema-node.ts';

const compiled = new WeakMap<SchemaNode, RegExp>();

function patternOf(schema: SchemaNode, pattern: string): RegExp {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compilePattern(pattern);
  compiled.set(schema, made);
  return made;
}

/** Length in code points, as upstream counts. */
function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

/** Judges a string: lengths, pattern, format. */
export function validateString(value: string, schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  if (maxLength !== undefined && lengthOf(value) > maxLength) errors.push(tooLong(path, maxLength));
  if (minLength !== undefined && lengthOf(value) < minLength) {
    errors.push(invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !patternOf(schema, pattern).test(value)) {
    errors.push(invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && !hasFormat(value, format)) {
    const detail = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    errors.push(typeInvalid(path, value, detail));
  }
  return errors;
}

const integerRanges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

function formatProblem(value: number, schema: SchemaNode, path: string): FieldError | undefined {
  const { format = '', type } = schema;
  const range = Object.hasOwn(integerRanges, format) ? integerRanges[format] : undefined;
  if (range === undefined || (value >= range[0] && value <= range[1])) return undefined;
  const detail = `Checked value must be of type ${type} with format ${format} in ${path}`;
  return invalid(path, value, detail);
}

function boundProblems(value: number, schema: SchemaNode): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const problems: string[] = [];
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    problems.push(`should be a multiple of ${multipleOf}`);
  }
  if (maximum !== undefined) {
    if (exclusiveMaximum === true && value >= maximum) {
      problems.push(`should be less than ${maximum}`);
    } else if (value > maximum) problems.push(`should be less than or equal to ${maximum}`);
  }
  if (minimum !== undefined) {
    if (exclusiveMinimum === true && value <= minimum) {
      problems.push(`should be greater than ${minimum}`);
    } else if (value < minimum) problems.push(`should be greater than or equal to ${minimum}`);
  }
  return problems;
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Judges a number: bounds, multiples, integer range of its format. */
export function validateNumber(value: number, schema: SchemaNode, path: string): FieldError[] {
  const errors = boundProblems(value, schema).map((problem) =>
    invalid(path, value, `${path} in body ${problem}`),
  );
  const format = formatProblem(value, schema, path);
  return format === undefined ? errors : [...errors, format];
}
