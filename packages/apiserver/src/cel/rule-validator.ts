import type { CelInput } from '@bufbuild/cel';
import { isJsonObject, jsonEqual } from '@slipway/base';
import type { FieldError } from '../contract.ts';
import { duplicate, forbidden, invalid, required } from '../schema/field-errors.ts';
import { correlateItems } from '../schema/list-types.ts';
import type { RuleValidator } from '../schema/object-schema.ts';
import {
  childPath,
  mapValueSchema,
  propertySchema,
  type SchemaNode,
} from '../schema/schema-node.ts';
import type { CompiledRule, CompiledRules } from './compile-rules.ts';
import { withTypeMeta } from './shape.ts';
import type { TimeValues } from './to-cel.ts';
import { toCel } from './to-cel.ts';

type Variables = { readonly self: CelInput; readonly oldSelf?: CelInput };
type Place = { readonly path: string; readonly type: string };

function messageOf(compiled: CompiledRule, variables: Variables): string {
  const computed = compiled.message?.evaluate(variables).value;
  if (typeof computed === 'string' && computed.trim() !== '' && !computed.includes('\n')) {
    return computed;
  }
  return compiled.rule.message ?? `failed rule: ${(compiled.rule.rule ?? '').trim()}`;
}

/** `.spec["a-b"]` below the rule's own path. */
function fieldOf(path: string, fieldPath: string | undefined): string {
  if (fieldPath === undefined) return path;
  const plain = fieldPath.replace(
    /\[(?:'([^']*)'|"([^"]*)")\]/g,
    (_all, a?: string, b?: string) => `.${a ?? b ?? ''}`,
  );
  return path === '' ? plain.replace(/^\./, '') : `${path}${plain}`;
}

function violation(compiled: CompiledRule, place: Place, detail: string): FieldError {
  const field = fieldOf(place.path, compiled.rule.fieldPath);
  switch (compiled.rule.reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, place.type);
    default:
      return invalid(field, place.type, detail);
  }
}

/** Steps that one evaluation may take, as far as nested loops tell. */
const maxSteps = 1_000_000;

/** Size of the largest collection in a JSON value, itself included. */
function largestCollection(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.reduce<number>(
    (largest, member) => Math.max(largest, largestCollection(member)),
    members.length,
  );
}

/**
 * Loops within loops over a large value would hold up the server. Upstream counts the cost while it
 * evaluates; here the worst case is taken, which refuses a little earlier.
 */
function isTooCostly(compiled: CompiledRule, value: unknown): boolean {
  const { loopDepth } = compiled.expression;
  return loopDepth > 1 && largestCollection(value) ** loopDepth > maxSteps;
}

function costViolation(compiled: CompiledRule, place: Place): FieldError {
  const rule = compiled.rule.message ?? (compiled.rule.rule ?? '').trim();
  const detail = `operation cancelled: actual cost limit exceeded: call cost exceeds limit for rule: ${rule}`;
  return invalid(place.path, place.type, detail);
}

function evaluate(compiled: CompiledRule, place: Place, variables: Variables): FieldError[] {
  const result = compiled.expression.evaluate(variables);
  if (result.error !== undefined) {
    const detail = `rule evaluation error: ${result.error}: ${messageOf(compiled, variables)}`;
    return [invalid(place.path, place.type, detail)];
  }
  if (result.value === true) return [];
  return [violation(compiled, place, messageOf(compiled, variables))];
}

class RuleWalker {
  readonly #rules: CompiledRules;
  readonly #times: TimeValues;
  readonly #root: SchemaNode;

  constructor(rules: CompiledRules, times: TimeValues, root: SchemaNode) {
    this.#rules = rules;
    this.#times = times;
    this.#root = root;
  }

  walk(value: unknown, schema: SchemaNode, path: string, old: unknown): FieldError[] {
    if (value === null || value === undefined || !this.#rules.holders.has(schema)) return [];
    return [...this.#own(value, schema, path, old), ...this.#below(value, schema, path, old)];
  }

  #own(value: unknown, schema: SchemaNode, path: string, old: unknown): FieldError[] {
    const compiled = this.#rules.table.get(schema);
    if (compiled === undefined) return [];
    const unchanged = old !== undefined && jsonEqual(value, old);
    const due = compiled.filter((rule) => (rule.isTransition ? old !== undefined : !unchanged));
    if (due.length === 0) return [];
    const seen = schema === this.#root ? withTypeMeta(schema) : schema;
    const self = toCel(value, seen, this.#times);
    const before = old === undefined ? {} : { oldSelf: toCel(old, seen, this.#times) };
    const place = { path, type: schema.type ?? 'object' };
    return due.flatMap((rule) =>
      isTooCostly(rule, value)
        ? [costViolation(rule, place)]
        : evaluate(rule, place, { self, ...before }),
    );
  }

  #below(value: unknown, schema: SchemaNode, path: string, old: unknown): FieldError[] {
    if (Array.isArray(value)) {
      const { items } = schema;
      if (items === undefined) return [];
      const counterpart = correlateItems(old, schema);
      return value.flatMap((item, index) =>
        this.walk(item, items, `${path}[${index}]`, counterpart?.(item)),
      );
    }
    if (!isJsonObject(value)) return [];
    const values = mapValueSchema(schema);
    const before = isJsonObject(old) ? old : {};
    return Object.entries(value).flatMap(([name, member]) => {
      const node = propertySchema(schema, name) ?? values;
      return node === undefined ? [] : this.walk(member, node, childPath(path, name), before[name]);
    });
  }
}

/** Evaluates compiled rules over objects of `schema`, root first. */
export function createRuleValidator(
  schema: SchemaNode,
  rules: CompiledRules,
  times: TimeValues,
): RuleValidator {
  const walker = new RuleWalker(rules, times, schema);
  return { validate: (object, old) => walker.walk(object, schema, '', old) };
}
