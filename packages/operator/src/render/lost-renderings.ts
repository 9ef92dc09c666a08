import type { MachineConfig } from '@slipway/api';
import { renderedFor } from '../caches.ts';

/** Rendered MachineConfigs that were seen to be deleted, until it is known whether somebody needs them. */
export class LostRenderings {
  readonly #byName = new Map<string, MachineConfig>();

  /** Remembers a rendering that is gone; what users wrote is not ours to bring back. */
  note(config: MachineConfig): void {
    if (renderedFor(config) !== undefined) this.#byName.set(config.metadata?.name ?? '', config);
  }

  of(pool: string): readonly MachineConfig[] {
    return [...this.#byName.values()].filter((config) => renderedFor(config) === pool);
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }
}
