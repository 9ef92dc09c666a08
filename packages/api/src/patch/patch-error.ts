/** A patch that is malformed or does not fit its target. */
export class PatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
