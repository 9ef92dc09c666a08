import { describeError, type Issue, systemClock, UserError } from '@slipway/base';
import {
  type BootstrapErrorCode,
  type ClusterConfiguration,
  documentKinds,
  fetchClusterSettings,
  type Ground,
  type InitSettings,
  knownReleases,
  readNodeFacts,
  renderClusterConfiguration,
  settleCluster,
  settleControlPlane,
  settleUpgrade,
  type UpgradeConfiguration,
} from '@slipway/bootstrap';
import type { KubeClient } from '@slipway/kube';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { type ClusterFlags, openCluster } from './cluster-access.ts';
import { demandSettled } from './demand-settled.ts';
import { readInput } from './input-file.ts';

export type UpgradeSourceFlags = ClusterFlags & { readonly config?: string };

/** What an upgrade is planned from: a cluster, or the files of a control plane and `--config`. */
export type UpgradeSource = AsyncDisposable & {
  /** Undefined: no cluster is asked. */
  readonly client: KubeClient | undefined;
  readonly configuration: UpgradeConfiguration;
  /** Configuration of the cluster; undefined where nobody gave one. */
  cluster(): Promise<ClusterConfiguration | undefined>;
  /** Settings of this control plane. Throws a UserError where nobody gave a configuration. */
  node(): Promise<InitSettings>;
};

/**
 * Opens the source that the flags name: the cluster of `--kubeconfig`; else, with a ClusterConfiguration in
 * `--config`, files alone; else the cluster of the kubeconfig that is found, and where there is none, files.
 * Below a `--rootfs` a cluster that does not answer is left out, and that is said.
 */
export async function openUpgrade(
  flags: UpgradeSourceFlags,
  ground: Ground,
  context: CommandContext,
): Promise<UpgradeSource> {
  const text =
    flags.config === undefined
      ? undefined
      : await readInput(context, flags, '--config', flags.config);
  const configuration = upgradeConfiguration(text, flags.config, context);
  const given = text !== undefined && describesCluster(text) ? text : undefined;
  const isOffline = given !== undefined && flags.kubeconfig === undefined;
  const client = isOffline ? undefined : await findCluster(flags, context);
  const clusterText = once(async () =>
    client === undefined ? given : await storedConfiguration(client, context),
  );
  const node = once(async () => {
    const known = await clusterText();
    if (known === undefined) throw withoutConfiguration();
    const settled = await settleControlPlane(known, ground, await readNodeFacts(ground));
    return demandSettled(withoutForeign(settled), flags.config ?? 'kubeadm-config', context);
  });
  return {
    client,
    configuration,
    node,
    cluster: async () => ((await clusterText()) === undefined ? undefined : (await node()).cluster),
    [Symbol.asyncDispose]: async () => client?.close(),
  };
}

/** The file may describe the upgrade and the cluster: each reader uses its own documents. */
function withoutForeign<T>(settled: { readonly value?: T; readonly issues: readonly Issue[] }) {
  const issues = settled.issues.filter(({ code }) => code !== 'bootstrap.config.unexpected-kind');
  return { ...settled, issues };
}

/** `make`, once, when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function describesCluster(text: string): boolean {
  return documentKinds(text).some((kind) => /^(?:Cluster|Master)Configuration$/.test(kind));
}

function upgradeConfiguration(
  text: string | undefined,
  source: string | undefined,
  context: CommandContext,
): UpgradeConfiguration {
  const isGiven = text !== undefined && documentKinds(text).includes('UpgradeConfiguration');
  const settled = settleUpgrade(isGiven ? { text } : {});
  return demandSettled(withoutForeign(settled), source ?? 'defaults', context);
}

/** How long a cluster that nobody named is waited for. */
const probeTimeoutMs = 3000;

async function findCluster(
  flags: UpgradeSourceFlags,
  context: CommandContext,
): Promise<KubeClient | undefined> {
  if (flags.kubeconfig !== undefined) return openCluster(context, flags);
  const client = await openFoundCluster(flags, context);
  // On the machine itself a cluster that does not answer is a failure, told by the first request.
  if (client === undefined || flags.rootfs === undefined) return client;
  try {
    await client.raw('/version', { timeoutMs: probeTimeoutMs });
    return client;
  } catch (error) {
    client.close();
    context.output.problem(
      `the cluster does not answer, so only files are read: ${describeError(error)}`,
    );
    return undefined;
  }
}

/** Undefined where there is no kubeconfig. */
async function openFoundCluster(
  flags: UpgradeSourceFlags,
  context: CommandContext,
): Promise<KubeClient | undefined> {
  try {
    return await openCluster(context, flags);
  } catch (error) {
    const code: CliErrorCode = 'cli.bootstrap.kubeconfig';
    if (error instanceof UserError && error.code === code) return undefined;
    throw error;
  }
}

async function storedConfiguration(client: KubeClient, context: CommandContext): Promise<string> {
  const { interrupted: signal } = context.environment;
  const { cluster } = await fetchClusterSettings(client, { clock: systemClock, signal });
  return renderClusterConfiguration(cluster);
}

/** Releases without a configuration: the images of a cluster that changes nothing about them. */
export function plainCluster(context: CommandContext): ClusterConfiguration {
  const document = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    kubernetesVersion: knownReleases.at(-1),
  };
  return demandSettled(settleCluster(JSON.stringify(document)), 'defaults', context);
}

function withoutConfiguration(): UserError {
  const code: BootstrapErrorCode = 'bootstrap.upgrade.no-configuration';
  return new UserError(
    'compare manifests: the ClusterConfiguration is needed, and neither --config nor a cluster gives one',
    { code },
  );
}
