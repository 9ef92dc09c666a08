import type { Clock, Logger } from '@slipway/base';
import type { LocalAccess, ResourceCatalogue } from '../contract.ts';

/** What every controller of the server works with. */
export type ControllerOptions = {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly clock: Clock;
  readonly logger: Logger;
};
