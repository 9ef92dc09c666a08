import { BugError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const form = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** Go counts nanoseconds in 64 bits: about 292 years, 2562047h47m16.854775807s. */
const longestMs = 2 ** 63 / 1e6;

/** Milliseconds of a Go duration (`1h30m`, `500ms`, `0`); undefined when the text is none, or longer than Go can count. */
export function parseDuration(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const parts = text.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g);
  const total = [...parts].reduce(
    (sum, [, value, unit]) => sum + Number(value) * (unitMs[unit ?? ''] ?? 0),
    0,
  );
  if (total >= longestMs) return undefined;
  return text.startsWith('-') ? -total : total;
}

/** Milliseconds of a Go duration that validation has let through; throws a BugError for another text. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.duration.malformed';
    throw new BugError(`read duration ${JSON.stringify(text)}: it is none`, { code });
  }
  return ms;
}

/** A duration in Go's form: `4m0s`, `87600h0m0s`, `1.5s`, `500ms`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  const amount = Math.abs(ms);
  if (amount < 1000) return `${sign}${formatBelowSecond(amount)}`;
  const hours = Math.floor(amount / 3_600_000);
  const minutes = Math.floor((amount % 3_600_000) / 60_000);
  const seconds = `${Number(((amount % 60_000) / 1000).toFixed(9))}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function formatBelowSecond(ms: number): string {
  if (ms >= 1) return `${Number(ms.toFixed(6))}ms`;
  return ms >= 1e-3 ? `${Number((ms * 1e3).toFixed(3))}µs` : `${Math.round(ms * 1e6)}ns`;
}
