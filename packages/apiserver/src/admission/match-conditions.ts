import type { CelInput } from '@bufbuild/cel';
import type { Compilation, Evaluation, Expressions } from '../cel/expressions.ts';
import { dyn } from '../cel/shape.ts';
import { plainToCel } from '../cel/to-cel.ts';
import { TimeIsOver, withinTime } from '../schema/bounded-time.ts';
import type { ReviewRequest } from './webhook-review.ts';
import type { Webhook } from './webhook-types.ts';

/** What conditions may read. `authorizer` is not offered; naming it is a compile error. */
const variables = { object: dyn, oldObject: dyn, request: dyn };

/** The verdict of a webhook's match conditions. */
export type ConditionVerdict =
  | { readonly matches: boolean; readonly error?: undefined }
  | { readonly matches?: undefined; readonly error: string };

/** Conditions that are remembered per library; more than that start anew. */
const maxRemembered = 500;
const remembered = new WeakMap<Expressions, Map<string, Compilation>>();

/** Compiles one condition, once; the problem is in the compiler's words. */
export function compileCondition(text: string, expressions: Expressions): Compilation {
  let known = remembered.get(expressions);
  if (known === undefined || known.size >= maxRemembered) {
    known = new Map();
    remembered.set(expressions, known);
  }
  const compiled = known.get(text) ?? expressions.compile(text, variables, 'bool');
  known.set(text, compiled);
  return compiled;
}

function bindingsOf(request: ReviewRequest): Readonly<Record<string, CelInput>> {
  const { object, oldObject, ...rest } = request;
  return {
    object: plainToCel(object),
    oldObject: plainToCel(oldObject),
    request: plainToCel(rest),
  };
}

function evaluateInTime(
  { expression, problem = '' }: Compilation,
  bindings: Readonly<Record<string, CelInput>>,
): Evaluation {
  if (expression === undefined) return { error: problem };
  try {
    return withinTime(() => expression.evaluate(bindings));
  } catch (error) {
    if (error instanceof TimeIsOver) return { error: error.message };
    throw error;
  }
}

/** One false condition is enough not to ask; otherwise one error is an error. */
export function evaluateConditions(
  webhook: Webhook,
  request: ReviewRequest,
  expressions: Expressions,
): ConditionVerdict {
  const bindings = bindingsOf(request);
  let error: string | undefined;
  for (const { name, expression } of webhook.matchConditions ?? []) {
    const compiled = compileCondition(expression, expressions);
    const result = evaluateInTime(compiled, bindings);
    if (result.error !== undefined) error ??= `${name}: ${result.error}`;
    else if (result.value !== true) return { matches: false };
  }
  return error === undefined ? { matches: true } : { error };
}
