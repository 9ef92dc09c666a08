/** When a certificate is valid. */
export type Validity = {
  /** Time of issue in ms since the epoch. */
  readonly now: number;
  /** Lifetime in ms after `now`. */
  readonly validityMs: number;
  /** How much earlier than `now` it starts, for clocks that are behind; default 5 minutes, as kubeadm. */
  readonly backdateMs?: number;
};

export const dayMs = 24 * 60 * 60 * 1000;

/** First and last moment; never beyond `latest`, the end of the issuer. */
export function validityDates(
  validity: Validity,
  latest = Number.POSITIVE_INFINITY,
): { readonly notBefore: Date; readonly notAfter: Date } {
  const { now, validityMs, backdateMs = 5 * 60 * 1000 } = validity;
  return {
    notBefore: new Date(now - backdateMs),
    notAfter: new Date(Math.min(now + validityMs, latest)),
  };
}
