import type { FieldError } from '../contract.ts';
import { invalid, notSupported, required } from '../schema/field-errors.ts';
import { mapValueSchema, type SchemaNode, type ValidationRule } from '../schema/schema-node.ts';
import type { Expression, Expressions } from './expressions.ts';
import { type Shape, shapeOf, withTypeMeta } from './shape.ts';

/** A rule that is ready to be evaluated. */
export type CompiledRule = {
  readonly rule: ValidationRule;
  readonly expression: Expression;
  readonly message?: Expression;
  /** Reads `oldSelf`: only evaluated on update. */
  readonly isTransition: boolean;
};

/** The rules of each node of a schema. Nodes without rules are absent. */
export type RuleTable = ReadonlyMap<SchemaNode, readonly CompiledRule[]>;

export type CompiledRules = {
  readonly table: RuleTable;
  /** Rules by the node below which (or at which) there are any; others need not be walked. */
  readonly holders: ReadonlySet<SchemaNode>;
  readonly errors: readonly FieldError[];
};

const reasons = [
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
  'FieldValueDuplicate',
];

/** True when any node of the schema has rules: only then is the expression library loaded. */
export function hasRules(schema: SchemaNode): boolean {
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
  return children(schema).some(({ node }) => hasRules(node));
}

type Child = { readonly node: SchemaNode; readonly path: string; readonly correlatable: boolean };

/** Nodes below, and whether their values have a counterpart in the old object. */
function children(schema: SchemaNode): Child[] {
  const result: Child[] = Object.entries(schema.properties ?? {}).map(([name, node]) => ({
    node,
    path: `properties[${name}]`,
    correlatable: true,
  }));
  const values = mapValueSchema(schema);
  if (values !== undefined) {
    result.push({ node: values, path: 'additionalProperties', correlatable: true });
  }
  if (schema.items !== undefined) {
    const correlatable = schema['x-kubernetes-list-type'] === 'map';
    result.push({ node: schema.items, path: 'items', correlatable });
  }
  return result;
}

/** Rules of this server's own: what the expression library cannot do is refused, not ignored. */
function checkForm(rule: ValidationRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((rule.rule ?? '').trim() === '') {
    errors.push(required(`${path}.rule`, 'rule is not specified'));
  }
  if (rule.optionalOldSelf === true) {
    const detail = 'optional types are not supported by this server';
    errors.push(invalid(`${path}.optionalOldSelf`, true, detail));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    errors.push(notSupported(`${path}.reason`, rule.reason, reasons));
  }
  if (rule.message !== undefined && rule.message.trim() === '') {
    errors.push(invalid(`${path}.message`, rule.message, 'message must be non-empty if specified'));
  } else if (rule.message?.includes('\n') === true) {
    errors.push(invalid(`${path}.message`, rule.message, 'message must not contain line breaks'));
  }
  if (rule.fieldPath !== undefined && !/^(\.|\[)/.test(rule.fieldPath)) {
    errors.push(invalid(`${path}.fieldPath`, rule.fieldPath, 'fieldPath must start with . or ['));
  }
  return errors;
}

type Place = { readonly path: string; readonly correlatable: boolean };

class RuleCompiler {
  readonly table = new Map<SchemaNode, CompiledRule[]>();
  readonly holders = new Set<SchemaNode>();
  readonly errors: FieldError[] = [];
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.#expressions = expressions;
  }

  /** True when the node or one below it has rules. */
  walk(schema: SchemaNode, place: Place, isRoot: boolean): boolean {
    const rules = schema['x-kubernetes-validations'] ?? [];
    const shape = rules.length === 0 ? undefined : this.#shapeOf(schema, isRoot);
    for (const [index, rule] of rules.entries()) {
      const path = `${place.path}.x-kubernetes-validations[${index}]`;
      if (shape !== undefined) this.#compile(schema, shape, rule, { ...place, path });
    }
    const below = children(schema).map((child) =>
      this.walk(
        child.node,
        {
          path: `${place.path}.${child.path}`,
          correlatable: place.correlatable && child.correlatable,
        },
        false,
      ),
    );
    const holds = rules.length > 0 || below.includes(true);
    if (holds) this.holders.add(schema);
    return holds;
  }

  #shapeOf(schema: SchemaNode, isRoot: boolean): Shape {
    return shapeOf(isRoot ? withTypeMeta(schema) : schema);
  }

  #compile(schema: SchemaNode, self: Shape, rule: ValidationRule, place: Place): void {
    const form = checkForm(rule, place.path);
    this.errors.push(...form);
    if (form.length > 0) return;
    const variables = { self, oldSelf: self };
    const text = rule.rule ?? '';
    const compiled = this.#expressions.compile(text, variables, 'bool');
    if (compiled.expression === undefined) {
      const detail = `compilation failed: ${compiled.problem}`;
      this.errors.push(invalid(`${place.path}.rule`, text, detail));
      return;
    }
    const isTransition = compiled.expression.uses('oldSelf');
    if (isTransition && !place.correlatable) {
      const detail =
        'oldSelf cannot be used on the uncorrelatable portion of the schema within an atomic or set list';
      this.errors.push(invalid(`${place.path}.rule`, text, detail));
      return;
    }
    const message = this.#compileMessage(rule, self, place.path);
    const list = this.table.get(schema) ?? [];
    const worded = message === undefined ? {} : { message };
    list.push({ rule, expression: compiled.expression, isTransition, ...worded });
    this.table.set(schema, list);
  }

  #compileMessage(rule: ValidationRule, self: Shape, path: string): Expression | undefined {
    if (rule.messageExpression === undefined) return undefined;
    const variables = { self, oldSelf: self };
    const compiled = this.#expressions.compile(rule.messageExpression, variables, 'string');
    if (compiled.expression !== undefined) return compiled.expression;
    const detail = `messageExpression compilation failed: ${compiled.problem}`;
    this.errors.push(invalid(`${path}.messageExpression`, rule.messageExpression, detail));
    return undefined;
  }
}

/** Compiles every rule of a schema; `path` is where the schema stands in the CRD. */
export function compileRules(
  schema: SchemaNode,
  expressions: Expressions,
  path: string,
): CompiledRules {
  const compiler = new RuleCompiler(expressions);
  compiler.walk(schema, { path, correlatable: true }, true);
  return { table: compiler.table, holders: compiler.holders, errors: compiler.errors };
}
