import { BugError } from '@slipway/base';

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

/** Milliseconds of a Go duration (`1h30m`, `500ms`, `0`); undefined when the text is none. */
export function parseDuration(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const parts = text.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g);
  const total = [...parts].reduce(
    (sum, [, value, unit]) => sum + Number(value) * (unitMs[unit ?? ''] ?? 0),
    0,
  );
  return text.startsWith('-') ? -total : total;
}

/** Milliseconds of a Go duration that validation has let through; throws a BugError for another text. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new BugError(`read duration ${JSON.stringify(text)}: it is none`, {
      code: 'bootstrap.duration.malformed',
    });
  }
  return ms;
}
