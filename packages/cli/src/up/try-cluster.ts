import type { BootstrapToken } from '@slipway/pki';

/** What tells one cluster of `slipway up` from another. */
export type TryCluster = {
  /** The first control-plane host. */
  readonly nodeName: string;
  /** `https://host:port` as hosts reach the API server of this process. */
  readonly endpoint: string;
  readonly port: number;
  /** By which hosts join this time. */
  readonly token: BootstrapToken;
};
