/**
 * Something with a lifecycle. `start` resolves when it is ready to serve; `stop` is idempotent,
 * waits until nothing of it runs any more and never throws for being called early.
 *
 *   created ── start ──▶ running ── stop ──▶ stopped
 */
export interface Component {
  readonly name: string;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Starts in order; when one fails, those already started are stopped in reverse and the error is thrown. */
export async function startAll(
  components: readonly Component[],
  signal?: AbortSignal,
): Promise<void> {
  const started: Component[] = [];
  try {
    for (const component of components) {
      await component.start(signal);
      started.push(component);
    }
  } catch (error) {
    // The first failure is the answer; one of the clean-up after it would only hide it.
    await stopAll(started).catch(() => undefined);
    throw error;
  }
}

/** Stops in reverse order, every one of them, and throws the first failure at the end. */
export async function stopAll(components: readonly Component[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const component of [...components].reverse()) {
    try {
      await component.stop();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}
