import type { Host, HostPath } from '@slipway/host';

/** Keeps one watch on a set of paths and replaces it when the set changes. */
export class DriftMonitor {
  readonly #host: Host;
  readonly #onChange: () => void;
  #watch: AsyncDisposable | undefined;
  #key = '';

  /** `onChange` is a hint: something happened at or near one of the paths. */
  constructor(host: Host, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /** Watches exactly these paths. The new watch stands before the old one goes: no change is missed. */
  async watch(paths: readonly HostPath[]): Promise<void> {
    const key = paths.join('\n');
    if (key === this.#key && this.#watch !== undefined) return;
    const previous = this.#watch;
    this.#watch = await this.#host.files.watch(paths, () => this.#onChange());
    this.#key = key;
    await previous?.[Symbol.asyncDispose]();
  }

  async stop(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.[Symbol.asyncDispose]();
  }
}
