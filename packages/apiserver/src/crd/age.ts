/** Time since `timestamp` as tables print it: `12s`, `2m5s`, `3h12m`, `5d4h`, `2y40d`. */
export function ageOf(timestamp: string, nowMs: number): string {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return '<invalid>';
  return humanDuration(nowMs - at);
}

type Step = {
  /** The step covers durations below this. */
  readonly belowSeconds: number;
  readonly unit: readonly [number, string];
  /** A smaller unit that is shown when it is not zero. */
  readonly rest?: readonly [number, string];
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const steps: readonly Step[] = [
  { belowSeconds: 2 * minute, unit: [1, 's'] },
  { belowSeconds: 10 * minute, unit: [minute, 'm'], rest: [1, 's'] },
  { belowSeconds: 3 * hour, unit: [minute, 'm'] },
  { belowSeconds: 8 * hour, unit: [hour, 'h'], rest: [minute, 'm'] },
  { belowSeconds: 2 * day, unit: [hour, 'h'] },
  { belowSeconds: 8 * day, unit: [day, 'd'], rest: [hour, 'h'] },
  { belowSeconds: 2 * year, unit: [day, 'd'] },
  { belowSeconds: 8 * year, unit: [year, 'y'], rest: [day, 'd'] },
  { belowSeconds: Number.POSITIVE_INFINITY, unit: [year, 'y'] },
];

/** A duration with at most two units, as upstream rounds it; up to two seconds ahead counts as now. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = steps.find((candidate) => seconds < candidate.belowSeconds);
  if (step === undefined) return '<invalid>';
  const [size, name] = step.unit;
  const whole = `${Math.floor(seconds / size)}${name}`;
  if (step.rest === undefined) return whole;
  const rest = Math.floor((seconds % size) / step.rest[0]);
  return rest === 0 ? whole : `${whole}${rest}${step.rest[1]}`;
}
