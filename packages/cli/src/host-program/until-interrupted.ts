import { type Component, startAll, stopAll } from '@slipway/base';

/** Runs components until the user or the system asks the process to stop, then stops them in reverse. */
export async function untilInterrupted(
  components: readonly Component[],
  interrupted: AbortSignal,
): Promise<void> {
  try {
    await startAll(components, interrupted);
  } catch (error) {
    if (interrupted.aborted) return;
    throw error;
  }
  await aborted(interrupted);
  await stopAll(components);
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
