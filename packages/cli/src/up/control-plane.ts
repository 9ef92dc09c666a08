import { join } from 'node:path';
import { createApiServer } from '@slipway/apiserver';
import { type Component, startAll, stopAll, systemClock } from '@slipway/base';
import { createNodeLifecycle } from '@slipway/bootstrap';
import { createKubeClient, type KubeClient } from '@slipway/kube';
import { applyOperatorAccess, createOperator } from '@slipway/operator';
import { type BootstrapToken, type CertificateAndKey, encodePrivateKey } from '@slipway/pki';
import type { Output } from '../output.ts';
import { version } from '../version.ts';
import { writeAdminKubeconfig } from './admin-kubeconfig.ts';
import { signClusterInfo } from './cluster-objects.ts';
import { type Credentials, operatorUser } from './credentials.ts';
import { openFileLog } from './file-log.ts';
import { makePrivateDirectory } from './private-file.ts';
import type { ClusterPaths } from './settings.ts';
import type { TryPhases } from './try-phases.ts';

export type ControlPlaneOptions = {
  readonly paths: ClusterPaths;
  readonly port: number;
  readonly credentials: Credentials;
  /** By which hosts join. */
  readonly token: BootstrapToken;
  readonly phases: TryPhases;
  readonly output: Output;
};

/** API server, operator and node lifecycle, all in this process, and the administrator's client. */
export type ControlPlane = Component & { readonly administrator: KubeClient };

/** `start` resolves when the API server answers, hosts can join and the operator runs. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  return new TryControlPlane(options);
}

class TryControlPlane implements ControlPlane {
  readonly name = 'control-plane';
  readonly administrator: KubeClient;
  readonly #options: ControlPlaneOptions;
  readonly #operatorClient: KubeClient;
  #components: Component[] = [];
  #closeLog: () => Promise<void> = async () => undefined;

  constructor(options: ControlPlaneOptions) {
    const { administrator, operator } = options.credentials;
    this.#options = options;
    this.administrator = this.#connect(administrator, 'slipway-up');
    this.#operatorClient = this.#connect(operator, 'slipway-operator');
  }

  async start(signal?: AbortSignal): Promise<void> {
    const { paths, output } = this.#options;
    await makePrivateDirectory(paths.logs);
    const { logger, close } = openFileLog(join(paths.logs, 'control-plane.log'));
    this.#closeLog = close;
    const clock = systemClock;
    try {
      const started = performance.now();
      await this.#startOne(this.#apiServer(logger.child({ component: 'apiserver' })), signal);
      const milliseconds = Math.round(performance.now() - started);
      output.phase('control-plane', `API server ready after ${milliseconds} ms`);
      await this.#fill();
      await applyOperatorAccess(this.administrator, operatorUser);
      const client = this.#operatorClient;
      const operatorLogger = logger.child({ component: 'operator' });
      await this.#startOne(
        createOperator({
          client,
          clock,
          logger: operatorLogger,
          webhook: { host: '127.0.0.1', port: 0 },
        }),
        signal,
      );
      output.phase('control-plane', 'operator running');
      await this.#startOne(createNodeLifecycle({ client, clock, logger }), signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const components = this.#components;
    this.#components = [];
    await stopAll(components);
    this.administrator.close();
    this.#options.phases.access.close();
    this.#operatorClient.close();
    await this.#closeLog();
  }

  async #startOne(component: Component, signal: AbortSignal | undefined): Promise<void> {
    await startAll([component], signal);
    this.#components.push(component);
  }

  /** What `init` puts into a cluster; then the administrator may be told that it is his. */
  async #fill(): Promise<void> {
    const { token, phases, paths, port, credentials, output } = this.#options;
    await phases.fill();
    await signClusterInfo(this.administrator, token);
    await writeAdminKubeconfig(paths.kubeconfig, {
      server: `https://127.0.0.1:${port}`,
      certificateAuthorityPem: credentials.authority.certificatePem,
      administrator: credentials.administrator,
    });
    output.phase('kubeconfig', paths.kubeconfig);
  }

  #apiServer(logger: Parameters<typeof createApiServer>[0]['logger']): Component {
    const { paths, port, credentials } = this.#options;
    return createApiServer({
      dataDirectory: paths.database,
      port,
      serving: {
        certificatePem: credentials.server.certificatePem,
        keyPem: encodePrivateKey(credentials.server.key).reveal(),
      },
      certificateAuthority: credentials.authority,
      clock: systemClock,
      logger,
      version,
    });
  }

  #connect(identity: CertificateAndKey, userAgent: string): KubeClient {
    const { port, credentials } = this.#options;
    return createKubeClient(
      {
        server: `https://127.0.0.1:${port}`,
        certificateAuthority: { pem: credentials.authority.certificatePem },
        clientCertificate: { pem: identity.certificatePem },
        clientKey: { secret: encodePrivateKey(identity.key) },
      },
      { userAgent },
    );
  }
}
