/** Exponents of ten of the decimal suffixes. */
const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const pattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const nanosExponent = -9;

type Parsed = {
  readonly negative: boolean;
  /** Billionths, rounded up as Go does. */
  readonly nanos: bigint;
  readonly form: 'decimal' | 'binary' | 'exponent';
};

function ceilDivide(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

/** `digits · 10^exponent` in billionths. */
function toNanos(digits: bigint, exponent: number): bigint {
  const shift = exponent - nanosExponent;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : ceilDivide(digits, 10n ** BigInt(-shift));
}

function parse(text: string): Parsed | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, sign, number = '', binary, suffix, exponentText] = found;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(`${whole}${fraction}` || '0');
  const negative = sign === '-';
  if (binary !== undefined) {
    const factor = 1024n ** BigInt(binarySuffixes.indexOf(binary));
    return { negative, nanos: toNanos(digits * factor, -fraction.length), form: 'binary' };
  }
  const exponent =
    exponentText === undefined ? (decimalExponents[suffix ?? ''] ?? 0) : Number(exponentText);
  const form = exponentText === undefined ? 'decimal' : 'exponent';
  return { negative, nanos: toNanos(digits, exponent - fraction.length), form };
}

function decimalText(nanos: bigint, exponentForm: boolean): string {
  let value = nanos;
  let index = 0;
  while (value % 1000n === 0n && index < decimalSuffixes.length - 1) {
    value /= 1000n;
    index += 1;
  }
  const exponent = nanosExponent + 3 * index;
  if (!exponentForm) return `${value}${decimalSuffixes[index]}`;
  return exponent === 0 ? String(value) : `${value}e${exponent}`;
}

function binaryText(nanos: bigint): string {
  const one = 10n ** 9n;
  // Fractions and small numbers have no binary form.
  if (nanos % one !== 0n || nanos < 1024n * one) return decimalText(nanos, false);
  let value = nanos / one;
  let index = 0;
  while (value % 1024n === 0n && index < binarySuffixes.length - 1) {
    value /= 1024n;
    index += 1;
  }
  return `${value}${binarySuffixes[index]}`;
}

/**
 * The one spelling of a quantity: `1000m` is `1`, `0.5` is `500m`, `1024Ki` is `1Mi` (apimachinery
 * `resource.Quantity`). Undefined: the text is no quantity.
 */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === undefined) return undefined;
  const { negative, nanos, form } = parsed;
  if (nanos === 0n) return '0';
  const size = form === 'binary' ? binaryText(nanos) : decimalText(nanos, form === 'exponent');
  return negative ? `-${size}` : size;
}
