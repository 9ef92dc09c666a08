/** A small seeded generator (xorshift32): the same seed gives the same run on any machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** A whole number from 0 to `limit` exclusive; 0 for a limit of 0. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return limit === 0 ? 0 : (this.#state >>> 0) % limit;
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('pick: no items');
    return item;
  }
}
