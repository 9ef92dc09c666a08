import { describeError, systemClock, TerminalError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';
import type { ClusterView } from './cluster-view.ts';

export type Expectation = {
  /** `all workers run the new configuration`. */
  readonly expected: string;
  readonly timeoutMs: number;
  readonly holds: (view: ClusterView) => boolean;
  /** What to tell of the last view when time is up. */
  readonly seen: (view: ClusterView) => string;
  /** Called with every view, for a picture of the progress. */
  readonly onView?: (view: ClusterView) => void;
};

const pollMs = 150;

/** Reads the cluster until the expectation holds; a TerminalError says what was expected and what was seen. */
export async function waitForView(
  read: () => Promise<ClusterView>,
  expectation: Expectation,
  signal: AbortSignal,
): Promise<ClusterView> {
  const deadline = performance.now() + expectation.timeoutMs;
  let seen = 'nothing: the API did not answer';
  for (;;) {
    signal.throwIfAborted();
    try {
      const view = await read();
      expectation.onView?.(view);
      if (expectation.holds(view)) return view;
      seen = expectation.seen(view);
    } catch (error) {
      seen = describeError(error);
    }
    if (performance.now() > deadline) throw stepFailed(expectation.expected, seen);
    await systemClock.sleep(pollMs, signal);
  }
}

/** The error of a step that did not hold. */
export function stepFailed(expected: string, seen: string): TerminalError {
  const code: CliErrorCode = 'cli.demo.step';
  return new TerminalError(`demo: expected ${expected}; seen: ${seen}`, { code });
}
