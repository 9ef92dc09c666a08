import { describeError } from '@slipway/base';
import {
  type ClusterConfiguration,
  fetchClusterSettings,
  type Ground,
  type InitSettings,
  kubernetesPaths,
  settleCluster,
  settleInit,
  withSomeAddress,
} from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import { openCluster } from './cluster-access.ts';
import { demandSettled } from './demand-settled.ts';
import { directoryOf } from './directory-flag.ts';
import type { GroundFlags } from './ground.ts';
import { readInput } from './input-file.ts';

/** Flags of a command that works on a certificate folder. */
export type CertificateFlags = GroundFlags & {
  readonly certDir?: string;
  readonly config?: string;
};

export type ClusterCertificateFlags = CertificateFlags & { readonly kubeconfig?: string };

/** How long a cluster that does not answer is asked: certificates are renewed because it does not. */
const patienceMs = 3000;

const plainCluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';

/**
 * What the cluster is like: from `--config`; else from the cluster itself, when its kubeconfig is there
 * and it answers; else kubeadm's defaults. `--cert-dir` stands above all of them. With `--rootfs` alone
 * no cluster is asked.
 * @throws UserError `cli.bootstrap.configuration`
 */
export async function clusterSettings(
  flags: ClusterCertificateFlags,
  ground: Ground,
  context: CommandContext,
): Promise<ClusterConfiguration> {
  const { config, certDir } = flags;
  const cluster =
    config === undefined
      ? ((await askCluster(flags, ground, context)) ??
        demandSettled(await settleCluster(plainCluster), 'defaults', context))
      : // When certificates end does not depend on where the machine is reached, nor on its network.
        (await nodeSettings(flags, await withSomeAddress(ground), context)).cluster;
  if (certDir === undefined) return cluster;
  return { ...cluster, certificatesDir: directoryOf('--cert-dir', certDir) };
}

/** What this control plane is like: from `--config`, else kubeadm's defaults. */
export async function nodeSettings(
  { config, certDir, ...flags }: CertificateFlags,
  ground: Ground,
  context: CommandContext,
): Promise<InitSettings> {
  const given =
    config === undefined ? {} : { text: await readInput(context, flags, '--config', config) };
  const settled = await settleInit({ ...given, flags: {}, ground });
  const settings = demandSettled(settled, config ?? 'defaults', context);
  if (certDir === undefined) return settings;
  const certificatesDir = directoryOf('--cert-dir', certDir);
  return { ...settings, cluster: { ...settings.cluster, certificatesDir } };
}

/** Undefined where there is none to ask, or none that answers. */
async function askCluster(
  flags: ClusterCertificateFlags,
  ground: Ground,
  context: CommandContext,
): Promise<ClusterConfiguration | undefined> {
  const path = flags.kubeconfig ?? kubernetesPaths.adminKubeconfig;
  const isAsked = flags.rootfs === undefined && (await ground.files.stat(path)) !== undefined;
  if (flags.kubeconfig === undefined && !isAsked) return undefined;
  try {
    const client = await openCluster(context, { ...flags, kubeconfig: path });
    const { interrupted: signal } = context.environment;
    const waiting = { clock: ground.clock, timeoutMs: patienceMs, signal };
    try {
      return (await fetchClusterSettings(client, waiting)).cluster;
    } finally {
      client.close();
    }
  } catch (error) {
    const reason = describeError(error);
    context.output.problem(
      `the cluster does not tell its configuration, so defaults hold: ${reason}`,
    );
    return undefined;
  }
}
