import type { Clock } from '@slipway/base';

/** Now, as the API writes times: RFC 3339 in UTC, whole seconds. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
}
