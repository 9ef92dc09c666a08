import type { Severity } from '@slipway/base';

/** One code of the catalogue. */
export type CatalogueEntry = {
  readonly severity: Severity;
  /**
   * Whose rule it is. `ignition`: a reader of Ignition on the host refuses or warns about it as well.
   * `slipway`: valid Ignition, but it cannot work, or is not supported, in a MachineConfig.
   */
  readonly rule: 'ignition' | 'slipway';
  /** Why it matters, as full sentences. */
  readonly reason: string;
  /** What to do, as full sentences. */
  readonly fix: string;
};
