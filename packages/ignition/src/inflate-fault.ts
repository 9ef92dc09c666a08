/** Why a DEFLATE stream could not be decoded. */
export type InflateFault = 'truncated' | 'corrupt' | 'too-large';

/** Decoding stops by throwing this inside `inflate`; it never leaves that. */
export class InflateStop extends Error {
  readonly fault: InflateFault;

  constructor(fault: InflateFault) {
    super(fault);
    this.fault = fault;
  }
}
