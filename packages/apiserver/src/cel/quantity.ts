/** A Kubernetes quantity as a whole number of nanos, which every suffix but the smallest fractions fit. */
export type Quantity = { readonly nanos: bigint };

const nano = 1_000_000_000n;

/** Multiplier of a suffix, in nanos. */
const suffixes: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1_000n,
  m: 1_000_000n,
  '': nano,
  k: nano * 10n ** 3n,
  M: nano * 10n ** 6n,
  G: nano * 10n ** 9n,
  T: nano * 10n ** 12n,
  P: nano * 10n ** 15n,
  E: nano * 10n ** 18n,
  Ki: nano * 2n ** 10n,
  Mi: nano * 2n ** 20n,
  Gi: nano * 2n ** 30n,
  Ti: nano * 2n ** 40n,
  Pi: nano * 2n ** 50n,
  Ei: nano * 2n ** 60n,
};

function multiplierOf(suffix: string): { readonly by: bigint; readonly over: bigint } | undefined {
  const exponent = /^[eE]([+-]?\d{1,3})$/.exec(suffix)?.[1];
  if (exponent !== undefined) {
    const power = Number(exponent);
    if (Math.abs(power) > 40) return undefined;
    return power >= 0
      ? { by: nano * 10n ** BigInt(power), over: 1n }
      : { by: nano, over: 10n ** BigInt(-power) };
  }
  const by = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  return by === undefined ? undefined : { by, over: 1n };
}

/** Reads `1.5Gi`, `100m`, `1e3`; undefined when it is no quantity. Fractions of a nano round up. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*(?:[+-]?\d+)?)$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const multiplier = multiplierOf(suffix);
  if (multiplier === undefined) return undefined;
  const scaled = BigInt(`${whole}${fraction}`) * multiplier.by;
  const divisor = 10n ** BigInt(fraction.length) * multiplier.over;
  const nanos = (scaled + divisor - 1n) / divisor;
  return { nanos: sign === '-' ? -nanos : nanos };
}

/** True when the quantity is a whole number. */
export function isWhole(quantity: Quantity): boolean {
  return quantity.nanos % nano === 0n;
}

/** The whole part. */
export function wholePart(quantity: Quantity): bigint {
  return quantity.nanos / nano;
}

/** The nearest floating-point number. */
export function approximate(quantity: Quantity): number {
  return Number(quantity.nanos) / 1e9;
}
