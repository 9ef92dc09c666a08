import { TransientError, UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Reporter } from './ground.ts';
import { type Phase, phaseName } from './phase.ts';
import { planPhases, type Selection } from './plan.ts';

export type WorkflowRun<Data> = {
  readonly phases: readonly Phase<Data>[];
  readonly selection: Selection;
  readonly data: Data;
  readonly reporter: Reporter;
  /** Between two phases; a phase that waits has its own. */
  readonly signal?: AbortSignal;
  /** After each phase that ran, also when it failed: a dry run tells what was changed. */
  readonly afterPhase?: (name: string) => Promise<void>;
};

/**
 * Runs the selected phases in order. The first failure ends the run; what was done stays, and the
 * same run again goes on from there, because every phase leaves what is right as it is.
 * @throws UserError `bootstrap.workflow.phases` before anything is done, TransientError
 * `bootstrap.workflow.interrupted`
 */
export async function runWorkflow<Data>(run: WorkflowRun<Data>): Promise<void> {
  const { phases, selection, data, reporter, signal } = run;
  const plan = planPhases(phases, selection);
  if (plan.kind === 'refused') throw phasesRefused(plan.reason);
  for (const { path, phase } of plan.phases) {
    if (signal?.aborted === true) throw interrupted(phaseName(path), signal.reason);
    if (phase.run === undefined) continue;
    const reason = phase.skipReason?.(data);
    if (reason !== undefined) {
      reporter.phase(path[0] ?? phase.name, `skipped ${phaseName(path)}: ${reason}`);
      continue;
    }
    try {
      await phase.run(data);
    } finally {
      await run.afterPhase?.(phaseName(path));
    }
  }
}

/** A selection of phases that makes no sense. */
export function phasesRefused(reason: string): UserError {
  const code: BootstrapErrorCode = 'bootstrap.workflow.phases';
  return new UserError(`select phases: ${reason}`, { code });
}

function interrupted(phase: string, cause: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.workflow.interrupted';
  const message = `run phase ${phase}: interrupted before it began; the same command goes on here`;
  return new TransientError(message, { code, cause });
}
