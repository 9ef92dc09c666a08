/** What the clock of this host says about a certificate. Times are in ms since the epoch. */
export type ValidityPeriod = { readonly notBefore: number; readonly notAfter: number };

/**
 * Why a certificate is not valid at `now`, with by how much: almost always the clock of one of the two
 * machines is wrong. Undefined: it is valid.
 */
export function validityProblem(
  what: string,
  { notBefore, notAfter }: ValidityPeriod,
  now: number,
): string | undefined {
  if (now < notBefore) {
    return (
      `${what} is valid only from ${stamp(notBefore)}, ${span(notBefore - now)} after the time ` +
      `of this host (${stamp(now)}): the clock of this host is behind, or that of the cluster ahead`
    );
  }
  if (now > notAfter) {
    return (
      `${what} expired at ${stamp(notAfter)}, ${span(now - notAfter)} before the time of this host ` +
      `(${stamp(now)}): renew it, unless the clock of this host is ahead`
    );
  }
  return undefined;
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** The two largest units: `3h12m`, `45s`. */
function span(ms: number): string {
  const parts: string[] = [];
  let rest = Math.max(1000, Math.round(ms / 1000) * 1000);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count}${unit}`);
  }
  return parts.join('');
}
