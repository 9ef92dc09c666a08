import { jsonEqual } from '@slipway/base';
import type { RenderReport } from '@slipway/machineconfig';

/** What rendering said of each pool: written by the render controller, read by the pool controller, which alone writes the status. */
export class RenderReports {
  readonly #reports = new Map<string, RenderReport>();
  readonly #listeners = new Set<(pool: string) => void>();

  get(pool: string): RenderReport | undefined {
    return this.#reports.get(pool);
  }

  set(pool: string, report: RenderReport): void {
    if (jsonEqual(this.#reports.get(pool), report)) return;
    this.#reports.set(pool, report);
    for (const listener of this.#listeners) listener(pool);
  }

  forget(pool: string): void {
    this.#reports.delete(pool);
  }

  onChange(listener: (pool: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
