import type { Secret } from '@slipway/base';

/** PEM text: given, or read from a file that may be replaced while the client runs. */
export type PemSource = { readonly pem: string } | { readonly path: string };

/** A secret text: given, or read from a file that may be replaced while the client runs. */
export type SecretSource = { readonly secret: Secret } | { readonly path: string };

/** Where an API server is and how to show who asks. */
export type ConnectionConfig = {
  /** `https://host:port`, with a path where a proxy serves many clusters. Plain http is refused. */
  readonly server: string;
  /** Absent: the authorities that the runtime trusts. */
  readonly certificateAuthority?: PemSource;
  /** Name that the server certificate must carry; default: the host of `server`. */
  readonly tlsServerName?: string;
  /** Accepts any server certificate; only for discovery, which checks what it gets by other means. */
  readonly insecureSkipTlsVerify?: boolean;
  readonly clientCertificate?: PemSource;
  readonly clientKey?: SecretSource;
  /** Bearer token. */
  readonly token?: SecretSource;
};

/** A connection that may change while the client runs, such as one read from a kubeconfig. */
export type ConnectionProvider = () => Promise<ConnectionConfig>;
