/** A value that must not be printed: `String()`, `JSON.stringify` and the inspector show `***`. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself; call it only where it is used. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '***';
  }
}
