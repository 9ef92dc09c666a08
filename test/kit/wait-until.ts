import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `probe` again and again until it gives something other than undefined, and returns that. The
 * programs under test are other processes, so there is nothing to be notified by. Throws what was
 * waited for, and the last thing `describe` saw, after `timeoutMs`.
 */
export async function waitUntil<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  options: {
    readonly timeoutMs?: number;
    readonly intervalMs?: number;
    readonly describe?: () => Promise<string> | string;
  } = {},
): Promise<T> {
  const deadline = performance.now() + (options.timeoutMs ?? 60_000);
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) {
      const seen = options.describe === undefined ? '' : `; last seen: ${await options.describe()}`;
      throw new Error(`waited in vain for ${what}${seen}`);
    }
    await delay(options.intervalMs ?? 100);
  }
}
