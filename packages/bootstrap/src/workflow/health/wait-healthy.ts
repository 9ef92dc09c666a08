import { type Clock, TransientError } from '@slipway/base';
import type { BootstrapErrorCode } from '../../errors.ts';
import { waitFor } from '../../waiting/wait-for.ts';
import type { Reporter } from '../ground.ts';
import type { HealthAnswer } from './ask-health.ts';

/** Something that is to become healthy. */
export type AwaitedHealth = {
  /** `kube-apiserver`, `kubelet`. */
  readonly name: string;
  /** Where it is asked, for the user. */
  readonly address: string;
  readonly ask: () => Promise<HealthAnswer>;
  /** Why it may not be healthy, line by line; asked once, when the time is over. */
  readonly diagnose: () => Promise<readonly string[]>;
};

export type HealthWait = {
  /** What the lines begin with: `control-plane-check`. */
  readonly phase: string;
  readonly code: BootstrapErrorCode;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly signal?: AbortSignal;
};

/**
 * Waits until all are healthy, and tells what it waits for and each new observation. When the time is
 * over, it tells for each that is not what was found out about it.
 * @throws TransientError of the given code
 */
export async function waitHealthy(
  awaited: readonly AwaitedHealth[],
  wait: HealthWait,
): Promise<void> {
  const { reporter, phase, timeoutMs } = wait;
  const names = awaited.map(({ name }) => name).join(', ');
  reporter.phase(phase, `waiting up to ${Math.round(timeoutMs / 1000)} s for ${names}`);
  const results = await Promise.allSettled(awaited.map((one) => waitForOne(one, wait)));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failed.length === 0) return;
  const [first] = failed;
  if (failed.length === 1 || wait.signal?.aborted === true) throw first;
  const messages = failed.map((error) => (error instanceof Error ? error.message : String(error)));
  throw new TransientError(messages.join('; '), { code: wait.code, cause: first });
}

async function waitForOne(one: AwaitedHealth, wait: HealthWait): Promise<void> {
  const { clock, reporter, phase, timeoutMs, signal, code } = wait;
  const start = clock.monotonic();
  let last = 'nothing yet';
  await waitFor<true>(
    {
      clock,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      onWait: (observed) => reporter.phase(phase, `${one.name}: ${observed}`),
      expired: async () => {
        const found = await one.diagnose();
        for (const line of found) reporter.problem(`${one.name}: ${line}`);
        const message = `wait for ${one.name}: not healthy after ${Math.round(timeoutMs / 1000)} s; last seen: ${last}`;
        return new TransientError(message, { code });
      },
    },
    async () => {
      const answer = await one.ask();
      last = answer.observed;
      if (answer.healthy) return true;
      throw new TransientError(answer.observed, { code });
    },
  );
  const seconds = ((clock.monotonic() - start) / 1000).toFixed(1);
  reporter.phase(phase, `${one.name} is healthy after ${seconds} s (${one.address})`);
}
