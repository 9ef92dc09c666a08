const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

function pair(total: number, unit: number, names: readonly [string, string], rest: number): string {
  const whole = Math.floor(total / unit);
  const part = Math.floor((total % unit) / rest);
  return part === 0 ? `${whole}${names[0]}` : `${whole}${names[0]}${part}${names[1]}`;
}

/** A span as the AGE column shows it: `45s`, `5m30s`, `3h12m`, `5d4h`, `2y10d` (apimachinery `HumanDuration`). */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return pair(seconds, minute, ['m', 's'], 1);
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return pair(seconds, hour, ['h', 'm'], minute);
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, day, ['d', 'h'], hour);
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, year, ['y', 'd'], day);
  return `${Math.floor(seconds / year)}y`;
}

/** Time since an RFC 3339 stamp; `<unknown>` when there is none. */
export function ageOf(stamp: unknown, nowMs: number): string {
  if (typeof stamp !== 'string' || stamp === '') return '<unknown>';
  const at = Date.parse(stamp);
  return Number.isNaN(at) ? '<invalid>' : humanDuration(nowMs - at);
}
