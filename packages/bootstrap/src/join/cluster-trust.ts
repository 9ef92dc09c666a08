import { TerminalError } from '@slipway/base';
import { connectionOf, createKubeClient, type KubeClient } from '@slipway/kube';
import { fetchClusterSettings } from '../cluster-settings/fetch-cluster-settings.ts';
import type { InitSettings, JoinConfiguration } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import { type Discovered, discover } from '../discovery/discover.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import type { ApiCallOptions } from '../object/retry-api-call.ts';
import { readHostKubeconfig } from '../tls-bootstrap/kubelet-credentials.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';
import type { JoinTrust } from './data.ts';
import { joinedSettings } from './joined-settings.ts';

export type ClusterTrustOptions = {
  readonly join: JoinConfiguration;
  readonly ground: Ground;
  readonly reporter: Reporter;
  readonly signal?: AbortSignal;
};

/** Trust by discovery and TLS bootstrap, with a cluster that can be reached. */
export function createClusterTrust(options: ClusterTrustOptions): JoinTrust {
  return new ClusterTrust(options);
}

class ClusterTrust implements JoinTrust {
  readonly calls: ApiCallOptions;
  readonly #options: ClusterTrustOptions;
  readonly #clients: KubeClient[] = [];
  #discovered: Promise<Discovered> | undefined;
  #settings: Promise<InitSettings> | undefined;
  #bootstrap: Promise<KubeClient> | undefined;
  #admin: Promise<KubeClient> | undefined;

  constructor(options: ClusterTrustOptions) {
    const { join, ground, signal } = options;
    this.#options = options;
    this.calls = {
      clock: ground.clock,
      timeoutMs: durationMs(join.timeouts.kubernetesAPICall),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  discovered() {
    this.#discovered ??= this.#discover();
    return this.#discovered;
  }

  settings() {
    this.#settings ??= this.#fetch();
    return this.#settings;
  }

  bootstrapClient() {
    this.#bootstrap ??= this.discovered().then(({ connection }) =>
      this.#kept(createKubeClient(connection)),
    );
    return this.#bootstrap;
  }

  adminClient() {
    this.#admin ??= this.#connectAsAdmin();
    return this.#admin;
  }

  close() {
    for (const client of this.#clients) client.close();
  }

  async #discover(): Promise<Discovered> {
    const { join, ground, reporter } = this.#options;
    const seconds = Math.round(durationMs(join.timeouts.discovery) / 1000);
    const { discovery } = join;
    const where =
      'bootstrapToken' in discovery
        ? discovery.bootstrapToken.apiServerEndpoint
        : discovery.file.kubeConfigPath;
    reporter.phase('discovery', `waiting up to ${seconds} s for the cluster of ${where}`);
    return await discover(join.discovery, {
      ...this.calls,
      files: ground.files,
      timeoutMs: durationMs(join.timeouts.discovery),
      onWarning: (text) => reporter.problem(text),
      onWait: (observed) => reporter.phase('discovery', observed),
    });
  }

  async #fetch(): Promise<InitSettings> {
    const { join, reporter } = this.#options;
    const client = await this.bootstrapClient();
    reporter.phase('preflight', 'reading the configuration of the cluster');
    const { cluster, components, warnings } = await fetchClusterSettings(client, this.calls);
    for (const { message } of warnings) reporter.problem(`ConfigMap kubeadm-config: ${message}`);
    return joinedSettings(join, cluster, components);
  }

  async #connectAsAdmin(): Promise<KubeClient> {
    const path = kubernetesPaths.adminKubeconfig;
    const kubeconfig = await readHostKubeconfig(this.#options.ground.files, path);
    if (kubeconfig !== undefined) return this.#kept(createKubeClient(connectionOf(kubeconfig)));
    const code: BootstrapErrorCode = 'bootstrap.workflow.kubeconfig';
    throw new TerminalError(`read kubeconfig ${path}: there is none`, { code });
  }

  #kept(client: KubeClient): KubeClient {
    this.#clients.push(client);
    return client;
  }
}
