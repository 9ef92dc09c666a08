import { readFile } from 'node:fs/promises';
import { Agent, type AgentOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { type Clock, describeError, type Logger, UserError } from '@slipway/base';
import type {
  ConnectionConfig,
  ConnectionProvider,
  PemSource,
  SecretSource,
} from './connection-config.ts';

/** What one request needs to reach the server. */
export type Target = {
  readonly agent: Agent;
  readonly host: string;
  readonly port: number;
  /** Path before every request path, without a slash at its end. */
  readonly prefix: string;
  readonly authorization?: string;
};

/** The connection as it is now: certificates and tokens that were replaced on disk are picked up. */
export interface Connection {
  current(): Promise<Target>;
  close(): void;
}

type Loaded = { readonly fingerprint: string; readonly target: Target };

type Material = {
  readonly config: ConnectionConfig;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
};

/** How often files are looked at, in ms, while requests are made. */
const reloadIntervalMs = 10_000;

export function createConnection(
  source: ConnectionConfig | ConnectionProvider,
  dependencies: { readonly clock: Clock; readonly logger: Logger },
): Connection {
  const { clock, logger } = dependencies;
  const provide: ConnectionProvider = typeof source === 'function' ? source : async () => source;
  let loaded: Loaded | undefined;
  let checkedAt = 0;
  let loading: Promise<Target> | undefined;

  async function reload(): Promise<Target> {
    try {
      const material = await readMaterial(await provide());
      const fingerprint = JSON.stringify(fingerprintOf(material));
      if (loaded?.fingerprint !== fingerprint) {
        const target = openTarget(material);
        if (loaded !== undefined) retire(loaded.target.agent);
        loaded = { fingerprint, target };
      }
    } catch (error) {
      // A rotation replaces several files one after the other: what worked goes on until all fit.
      if (loaded === undefined) throw error;
      logger.warn('credentials not reloaded', { error });
    }
    checkedAt = clock.monotonic();
    return loaded.target;
  }

  return {
    async current() {
      if (loaded !== undefined && clock.monotonic() - checkedAt < reloadIntervalMs) {
        return loaded.target;
      }
      loading ??= reload().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    close() {
      loaded?.target.agent.destroy();
    },
  };
}

/** Ends idle connections now and busy ones when they become idle. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

async function readMaterial(config: ConnectionConfig): Promise<Material> {
  const [ca, cert, key, token] = await Promise.all([
    readPem(config.certificateAuthority),
    readPem(config.clientCertificate),
    readSecret(config.clientKey),
    readSecret(config.token),
  ]);
  return {
    config,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(token === undefined ? {} : { token: token.trim() }),
  };
}

function fingerprintOf({ config, ...texts }: Material): unknown {
  return [config.server, config.tlsServerName, config.insecureSkipTlsVerify, texts];
}

function readPem(source: PemSource | undefined): Promise<string | undefined> {
  if (source === undefined) return Promise.resolve(undefined);
  return 'pem' in source ? Promise.resolve(source.pem) : readText(source.path);
}

function readSecret(source: SecretSource | undefined): Promise<string | undefined> {
  if (source === undefined) return Promise.resolve(undefined);
  return 'secret' in source ? Promise.resolve(source.secret.reveal()) : readText(source.path);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UserError(`read credentials ${path}: ${describeError(error)}`, {
      code: 'kube.credentials',
      cause: error,
    });
  }
}

function openTarget(material: Material): Target {
  const url = parseServer(material.config.server);
  const { token } = material;
  return {
    agent: new Agent(agentOptions(material)),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    prefix: url.pathname.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

function agentOptions({ config, ca, cert, key }: Material): AgentOptions {
  try {
    // One context for all connections of this agent; a key that does not fit is found here, not later.
    const secureContext = createSecureContext({ ca, cert, key, minVersion: 'TLSv1.2' });
    return {
      keepAlive: true,
      keepAliveMsecs: 30_000,
      maxFreeSockets: 4,
      secureContext,
      rejectUnauthorized: config.insecureSkipTlsVerify !== true,
      ...(config.tlsServerName === undefined ? {} : { servername: config.tlsServerName }),
    };
  } catch (error) {
    throw new UserError(`use credentials for ${config.server}: ${describeError(error)}`, {
      code: 'kube.credentials',
      cause: error,
    });
  }
}

function parseServer(server: string): URL {
  const url = URL.parse(server);
  if (url?.protocol !== 'https:') {
    throw new UserError(`connect to ${server}: the server must be an https address`, {
      code: 'kube.bad-server',
    });
  }
  return url;
}
