import { type Clock, systemClock } from '@slipway/base';

/** The machine's clock, `factor` times as fast: for what waits on real files and on time. */
export function hurriedClock(factor: number): Clock {
  const start = Date.now();
  const clock: Clock = {
    now: () => start + (Date.now() - start) * factor,
    monotonic: () => systemClock.monotonic() * factor,
    timer: (delayMs, callback) => systemClock.timer(delayMs / factor, callback),
    sleep: (delayMs, signal) => systemClock.sleep(delayMs / factor, signal),
  };
  return clock;
}
