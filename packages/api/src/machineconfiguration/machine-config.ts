import type { JsonObject } from '@slipway/base';
import type { KubeObject } from '../object-meta.ts';

/** Part of the declared state of a host. `config` is an Ignition 3.4.0 document; room `ignition` reads it. */
export type MachineConfig = KubeObject & {
  readonly spec?: {
    readonly config?: JsonObject;
    /** Added to the kernel's command line, in this order. */
    readonly kernelArguments?: readonly string[] | null;
  };
};
