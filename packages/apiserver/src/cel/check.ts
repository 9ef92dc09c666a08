import type { parse } from '@bufbuild/cel';
import { type CheckContext, checkCall } from './check-call.ts';
import { bool, describeShape, dyn, type ScalarKind, type Shape, string } from './shape.ts';

/** The tree of a parsed expression. */
export type ParsedExpression = ReturnType<typeof parse>;
export type Expression = ParsedExpression['expr'];
type KindOf<C extends NonNullable<Expression['exprKind']['case']>> = Extract<
  Expression['exprKind'],
  { case: C }
>['value'];

/** A problem found before evaluation, at an offset in the expression's text. */
export type CheckProblem = { readonly offset: number; readonly message: string };

const constantKinds: Readonly<Record<string, ScalarKind>> = {
  nullValue: 'null',
  boolValue: 'bool',
  int64Value: 'int',
  uint64Value: 'uint',
  doubleValue: 'double',
  stringValue: 'string',
  bytesValue: 'bytes',
};

const typeNames: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);

type Scope = ReadonlyMap<string, Shape>;

/** Infers shapes bottom-up and collects what is certainly wrong; what it cannot know is `dyn`. */
class Checker {
  readonly problems: CheckProblem[] = [];
  /** Deepest nesting of loops that was seen. */
  loopDepth = 0;
  #openLoops = 0;
  readonly #positions: Readonly<Record<string, number>>;

  constructor(positions: Readonly<Record<string, number>>) {
    this.#positions = positions;
  }

  report(expression: Expression, message: string): void {
    this.problems.push({ offset: this.#positions[String(expression.id)] ?? 0, message });
  }

  shape(expression: Expression | undefined, scope: Scope): Shape {
    if (expression === undefined) return dyn;
    const { exprKind } = expression;
    switch (exprKind.case) {
      case 'constExpr':
        return { kind: constantKinds[exprKind.value.constantKind.case ?? ''] ?? 'dyn' };
      case 'identExpr':
        return this.#identifier(expression, exprKind.value.name, scope);
      case 'selectExpr':
        return this.#select(expression, exprKind.value, scope);
      case 'callExpr':
        return this.#call(expression, exprKind.value, scope);
      case 'listExpr':
        return this.#list(exprKind.value, scope);
      case 'structExpr':
        return this.#struct(expression, exprKind.value, scope);
      case 'comprehensionExpr':
        return this.#comprehension(expression, exprKind.value, scope);
      case undefined:
        return dyn;
    }
  }

  #identifier(expression: Expression, name: string, scope: Scope): Shape {
    const known = scope.get(name);
    if (known !== undefined) return known;
    if (typeNames.has(name)) return { kind: 'type' };
    this.report(expression, `undeclared reference to '${name}' (in container '')`);
    return dyn;
  }

  #select(expression: Expression, select: KindOf<'selectExpr'>, scope: Scope): Shape {
    const operand = this.shape(select.operand, scope);
    const result = this.#field(expression, operand, select.field);
    return select.testOnly ? bool : result;
  }

  #field(expression: Expression, operand: Shape, field: string): Shape {
    if (operand.kind === 'dyn') return dyn;
    if (operand.kind === 'map') return operand.value;
    if (operand.kind !== 'object') {
      const type = describeShape(operand);
      this.report(expression, `type '${type}' does not support field selection`);
      return dyn;
    }
    const shape = operand.fields.get(field);
    if (shape === undefined) this.report(expression, `undefined field '${field}'`);
    return shape ?? dyn;
  }

  #call(expression: Expression, call: KindOf<'callExpr'>, scope: Scope): Shape {
    const namespace = call.target === undefined ? undefined : namespaceOf(call.target, scope);
    const context: CheckContext = {
      report: (message) => this.report(expression, message),
    };
    const args = call.args.map((argument) => this.shape(argument, scope));
    if (namespace !== undefined) {
      return checkCall(`${namespace}.${call.function}`, undefined, args, context);
    }
    const target = call.target === undefined ? undefined : this.shape(call.target, scope);
    return checkCall(call.function, target, args, context);
  }

  #list(list: KindOf<'listExpr'>, scope: Scope): Shape {
    const shapes = list.elements.map((element) => this.shape(element, scope));
    const [first] = shapes;
    const uniform = first !== undefined && shapes.every((shape) => shape.kind === first.kind);
    return { kind: 'list', element: uniform ? first : dyn };
  }

  #struct(expression: Expression, struct: KindOf<'structExpr'>, scope: Scope): Shape {
    if (struct.messageName !== '') {
      const name = struct.messageName;
      this.report(expression, `undeclared reference to '${name}' (in container '')`);
    }
    for (const entry of struct.entries) {
      if (entry.keyKind.case === 'mapKey') this.shape(entry.keyKind.value, scope);
      this.shape(entry.value, scope);
    }
    return { kind: 'map', value: dyn };
  }

  #comprehension(
    expression: Expression,
    comprehension: KindOf<'comprehensionExpr'>,
    scope: Scope,
  ): Shape {
    const range = this.shape(comprehension.iterRange, scope);
    const inner = new Map(scope);
    const [first, second] = this.#iterated(expression, range);
    const two = comprehension.iterVar2 !== '';
    inner.set(comprehension.iterVar, two || range.kind !== 'list' ? first : second);
    if (two) inner.set(comprehension.iterVar2, second);
    inner.set(comprehension.accuVar, this.shape(comprehension.accuInit, scope));
    this.#openLoops += 1;
    this.loopDepth = Math.max(this.loopDepth, this.#openLoops);
    this.shape(comprehension.loopCondition, inner);
    inner.set(comprehension.accuVar, this.shape(comprehension.loopStep, inner));
    this.#openLoops -= 1;
    return this.shape(comprehension.result, inner);
  }

  /** Shapes of key (or index) and value. */
  #iterated(expression: Expression, range: Shape): readonly [Shape, Shape] {
    if (range.kind === 'list') return [{ kind: 'int' }, range.element];
    if (range.kind === 'map') return [string, range.value];
    if (range.kind !== 'dyn') {
      const type = describeShape(range);
      const message = `expression of type '${type}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      this.report(expression, message);
    }
    return [dyn, dyn];
  }
}

/** `sets` in `sets.contains(…)`: a name that is no variable is the prefix of a function's name. */
function namespaceOf(target: Expression, scope: Scope): string | undefined {
  if (target.exprKind.case !== 'identExpr') return undefined;
  const { name } = target.exprKind.value;
  return scope.has(name) ? undefined : name;
}

/** What checking an expression tells. */
export type CheckedExpression = {
  /** Of the result. */
  readonly shape: Shape;
  readonly problems: readonly CheckProblem[];
  /** How deep loops over collections are nested; 0: there is none. */
  readonly loopDepth: number;
};

/** Type-checks a parsed expression. */
export function checkExpression(parsed: ParsedExpression, variables: Scope): CheckedExpression {
  const checker = new Checker(parsed.sourceInfo?.positions ?? {});
  const shape = checker.shape(parsed.expr, variables);
  return { shape, problems: checker.problems, loopDepth: checker.loopDepth };
}
