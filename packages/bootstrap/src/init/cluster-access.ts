import { nodes } from '@slipway/api';
import { TerminalError } from '@slipway/base';
import { connectionOf, createKubeClient, type KubeClient, type Kubeconfig } from '@slipway/kube';
import type { InitSettings } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { ensureClusterAdmins } from '../object/ensure-cluster-admins.ts';
import type { ApiCallOptions } from '../object/retry-api-call.ts';
import { readHostKubeconfig } from '../tls-bootstrap/kubelet-credentials.ts';
import { localApiAddress } from '../workflow/api-address.ts';
import { createDryRunClient } from '../workflow/dry-run-client.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';

/** How the phases of `init` meet the cluster that they make. */
export interface InitClusterAccess {
  /** Made when it is first asked for: earlier there is no kubeconfig. */
  client(): Promise<KubeClient>;
  /** The administrator's kubeconfig as it was written: with the address that all nodes use. */
  kubeconfig(): Promise<Kubeconfig>;
  /** How long one call may be repeated. */
  readonly calls: ApiCallOptions;
  close(): void;
}

export type InitClusterAccessOptions = {
  readonly settings: InitSettings;
  readonly ground: Ground;
  readonly reporter: Reporter;
  /** What was given with `--kubeconfig`; absent: admin.conf, which a phase of the same run makes. */
  readonly other?: Kubeconfig;
  readonly isDryRun: boolean;
  readonly signal?: AbortSignal;
};

/** Access by the kubeconfig files of the ground. With admin.conf, only the API server of this node is asked. */
export function createInitClusterAccess(options: InitClusterAccessOptions): InitClusterAccess {
  return new KubeconfigAccess(options);
}

class KubeconfigAccess implements InitClusterAccess {
  readonly calls: ApiCallOptions;
  readonly #options: InitClusterAccessOptions;
  #client: Promise<KubeClient> | undefined;

  constructor(options: InitClusterAccessOptions) {
    const { settings, ground, signal } = options;
    this.#options = options;
    this.calls = {
      clock: ground.clock,
      timeoutMs: durationMs(settings.init.timeouts.kubernetesAPICall),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  async kubeconfig() {
    const { other } = this.#options;
    return other === undefined ? this.#read(kubernetesPaths.adminKubeconfig) : other;
  }

  client() {
    this.#client ??= this.#connect();
    return this.#client;
  }

  close() {
    void this.#client?.then(
      (client) => client.close(),
      () => undefined,
    );
  }

  async #connect(): Promise<KubeClient> {
    const { other, isDryRun } = this.#options;
    if (isDryRun) return this.#dryRunClient();
    if (other !== undefined) return createKubeClient(connectionOf(other));
    const admin = await this.#localClient(kubernetesPaths.adminKubeconfig);
    const hasSuperAdmin =
      (await this.#options.ground.files.stat(kubernetesPaths.superAdminKubeconfig)) !== undefined;
    const superAdmin = hasSuperAdmin
      ? await this.#localClient(kubernetesPaths.superAdminKubeconfig)
      : undefined;
    try {
      await ensureClusterAdmins({ admin, ...(superAdmin && { superAdmin }) }, this.calls);
    } finally {
      superAdmin?.close();
    }
    return admin;
  }

  /** A given kubeconfig is of a cluster that exists and may be read; admin.conf is of one that does not. */
  async #dryRunClient(): Promise<KubeClient> {
    const { reporter, settings, other } = this.#options;
    const { name } = settings.init.nodeRegistration;
    const node = { metadata: { name, labels: { 'kubernetes.io/hostname': name } }, spec: {} };
    return createDryRunClient({
      reporter,
      substitutes: [{ resource: nodes, object: node }],
      ...(other === undefined ? {} : { real: createKubeClient(connectionOf(other)) }),
    });
  }

  async #localClient(path: string): Promise<KubeClient> {
    const connection = connectionOf(await this.#read(path));
    const server = localApiAddress(this.#options.settings.init.localAPIEndpoint);
    return createKubeClient({ ...connection, server });
  }

  async #read(path: string): Promise<Kubeconfig> {
    const found = await readHostKubeconfig(this.#options.ground.files, path);
    if (found !== undefined) return found;
    const code: BootstrapErrorCode = 'bootstrap.workflow.kubeconfig';
    throw new TerminalError(`read kubeconfig ${path}: there is none`, { code });
  }
}
