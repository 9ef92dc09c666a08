/** Where slipway is meant to differ from kubeadm, and why. A difference that never occurs is an error. */
export type Difference = {
  readonly reason: string;
  /** Which recordings: `VERSION CONFIGURATION`. Absent: all. */
  readonly recordings?: RegExp;
  /** `PIECE` or `PIECE at PATH`. */
  readonly places: RegExp;
};

export const differences: readonly Difference[] = [];
