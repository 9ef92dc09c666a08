import type { Clock } from '@slipway/base';
import type { KeySource } from '@slipway/kube';

/**
 * Coalesces bursts: a key is passed on `delayMs` after the first time it was named, however often it is
 * named until then. The delay is an upper bound, so that a steady stream cannot hold anything back.
 */
export function debounced(source: KeySource, clock: Clock, delayMs: number): KeySource {
  return {
    watch(wake) {
      const pending = new Map<string, Disposable>();
      const subscription = source.watch((key) => {
        if (pending.has(key)) return;
        const pass = () => {
          pending.delete(key);
          wake(key);
        };
        pending.set(key, clock.timer(delayMs, pass));
      });
      return {
        [Symbol.dispose]() {
          subscription[Symbol.dispose]();
          for (const timer of pending.values()) timer[Symbol.dispose]();
        },
      };
    },
  };
}
