/** How many operations on the host run at once: syncs wait for the disk, not for each other. */
const width = 8;

/**
 * Runs `work` for every item, some at a time. After a failure nothing new begins; it is thrown once
 * everything under way has ended, so that nothing still changes the host behind the caller's back.
 */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (failure !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
}
