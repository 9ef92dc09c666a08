import type { HostFiles } from '@slipway/host';
import { renderKubeconfig } from '@slipway/kube';
import type { Discovered } from '../discovery/discover.ts';
import { kubernetesPaths } from '../facts/paths.ts';

/**
 * Text of bootstrap-kubelet.conf: with it the kubelet asks for its certificate. `server` replaces the
 * discovered one: a control plane bootstraps its kubelet against its own API server.
 */
export function bootstrapKubeconfig({ kubeconfig }: Discovered, server?: string): string {
  if (server === undefined) return renderKubeconfig(kubeconfig);
  const clusters = kubeconfig.clusters.map((cluster) => ({ ...cluster, server }));
  return renderKubeconfig({ ...kubeconfig, clusters });
}

/** Writes bootstrap-kubelet.conf with mode 0600; it holds a credential and goes when the kubelet has its own. */
export async function writeBootstrapKubeconfig(
  files: HostFiles,
  discovered: Discovered,
  server?: string,
): Promise<void> {
  const owner = { uid: 0, gid: 0 };
  await files.makeDirectory(kubernetesPaths.directory, { mode: 0o755, ...owner });
  const text = bootstrapKubeconfig(discovered, server);
  const path = kubernetesPaths.bootstrapKubeletKubeconfig;
  await files.write(path, Buffer.from(text), { mode: 0o600, ...owner });
}

/** Writes the authority of the cluster to `caCertPath` (mode 0644) unless a file is there; returns whether it wrote. */
export async function writeClusterAuthority(
  files: HostFiles,
  { cluster }: Discovered,
  caCertPath: string,
): Promise<boolean> {
  if ((await files.stat(caCertPath)) !== undefined) return false;
  const owner = { uid: 0, gid: 0 };
  const folder = caCertPath.slice(0, caCertPath.lastIndexOf('/')) || '/';
  await files.makeDirectory(folder, { mode: 0o755, ...owner });
  await files.write(caCertPath, Buffer.from(cluster.certificateAuthorityPem), {
    mode: 0o644,
    ...owner,
  });
  return true;
}
