import { describeError } from '@slipway/base';
import type { Failure } from '../errors.ts';
import { toFailure } from '../failure.ts';
import type { Step, UpdateContext } from './step.ts';

/** What to do at the boundary between two steps. */
export type Attention = 'go' | 'stop' | 'abandon';

export type ExecutionResult =
  /** Every step is done; the journal still stands and waits for `finishUpdate`. */
  | { readonly kind: 'applied' }
  /** The machine accepted to reboot; nothing more is to be done in this boot. */
  | { readonly kind: 'rebooting' }
  /** Stopped between two steps; the next start goes on. */
  | { readonly kind: 'interrupted' }
  /** Everything is as before; no failure: the target was withdrawn. */
  | { readonly kind: 'undone'; readonly failure?: Failure }
  /** Undoing or tidying up failed and is to be tried again; `failure` is still the first cause. */
  | { readonly kind: 'stuck'; readonly failure: Failure; readonly cause: string };

/**
 * Runs the steps from where the journal says. The journal is ahead of the host: it names a step before
 * the step touches anything, so that whoever reads it after a crash knows what may have been begun.
 */
export async function executeSteps(
  steps: readonly Step[],
  context: UpdateContext,
  attention: () => Attention,
): Promise<ExecutionResult> {
  if (context.journal().phase === 'undoing') return undoSteps(steps, context);
  const resumedAt = context.journal().step;
  for (const [index, step] of steps.entries()) {
    if (index < resumedAt) continue;
    const wish = attention();
    if (wish === 'stop') return { kind: 'interrupted' };
    if (wish === 'abandon') return beginUndo(steps, context, index);
    const failure = await runStep(step, context, { index, resumed: index === resumedAt });
    if (failure !== undefined) return beginUndo(steps, context, index, failure);
  }
  return { kind: context.journal().phase === 'rebooting' ? 'rebooting' : 'applied' };
}

/** The step named by the journal may have run already: it is asked. */
async function runStep(
  step: Step,
  context: UpdateContext,
  { index, resumed }: { readonly index: number; readonly resumed: boolean },
): Promise<Failure | undefined> {
  try {
    if (!resumed) await context.record({ step: index });
    if (!resumed || !(await step.isDone(context))) await step.apply(context);
    return undefined;
  } catch (error) {
    context.logger.warn('step failed', { step: step.name, error: describeError(error) });
    return toFailure(error, step.code);
  }
}

async function beginUndo(
  steps: readonly Step[],
  context: UpdateContext,
  reached: number,
  firstError?: Failure,
): Promise<ExecutionResult> {
  const begun = Math.min(reached, steps.length - 1);
  try {
    const cause = firstError === undefined ? {} : { firstError };
    await context.record({ phase: 'undoing', step: begun, reached: begun, ...cause });
    return await undoSteps(steps, context);
  } catch (error) {
    return stuck(firstError, error);
  }
}

/** Undoes from the journal's step down to the first one, then lets services take the old files. */
async function undoSteps(steps: readonly Step[], context: UpdateContext): Promise<ExecutionResult> {
  const { firstError, step: from, reached = from } = context.journal();
  try {
    // Durable before the first thing is taken back, also when the caller decided it.
    await context.record({ phase: 'undoing' });
    for (let index = from; index >= 0; index -= 1) {
      if (index < from) await context.record({ step: index });
      await steps[index]?.undo(context);
    }
    for (const step of steps.slice(0, reached + 1)) await step.afterUndo?.(context);
  } catch (error) {
    return stuck(firstError, error);
  }
  return { kind: 'undone', ...(firstError === undefined ? {} : { failure: firstError }) };
}

function stuck(firstError: Failure | undefined, error: unknown): ExecutionResult {
  const cause = describeError(error);
  return { kind: 'stuck', failure: firstError ?? toFailure(error, 'daemon.write-failed'), cause };
}
