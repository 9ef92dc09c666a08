import { createContext, Script } from 'node:vm';

/** Far more than any honest schema needs, little enough for leases and watches to survive it. */
const limitMs = 1500;

const script = new Script('run()');

/** Thrown by `withinTime` when the time is over. */
export class TimeIsOver extends Error {
  constructor(cause: unknown) {
    super(`took longer than ${limitMs} ms`, { cause });
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/**
 * Runs `work`, which must be synchronous and without effects, for 1.5 s at most. Patterns and rules of
 * CustomResourceDefinitions come from outside: upstream's regular expressions cannot backtrack and its
 * rules are charged for; here the clock stops what would otherwise stop the server.
 *
 * @throws TimeIsOver, or what `work` throws.
 */
export function withinTime<T>(work: () => T): T {
  let result: { readonly value: T } | undefined;
  const run = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(createContext({ run }), { timeout: limitMs });
  } catch (error) {
    if (isTimeout(error)) throw new TimeIsOver(error);
    throw error;
  }
  if (result === undefined) throw new TimeIsOver(undefined);
  return result.value;
}
