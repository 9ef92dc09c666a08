import type { HostFiles, MachineProbe } from '@slipway/host';
import { connectionOf } from '@slipway/kube';
import { inspectCertificate } from '@slipway/pki';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostKubeconfig } from '../tls-bootstrap/kubelet-credentials.ts';

const nodeUserPrefix = 'system:node:';

/**
 * Name of the Node of this host: that of the kubelet's client certificate, which is what the cluster
 * knows; else the host's own in lower case. Asks no cluster.
 */
export async function readNodeName(files: HostFiles, machine: MachineProbe): Promise<string> {
  return (await certifiedName(files)) ?? machine.hostname().trim().toLowerCase();
}

async function certifiedName(files: HostFiles): Promise<string | undefined> {
  try {
    const kubeconfig = await readHostKubeconfig(files, kubernetesPaths.kubeletKubeconfig);
    const certificate = kubeconfig && connectionOf(kubeconfig).clientCertificate;
    if (certificate === undefined || !('pem' in certificate)) return undefined;
    const { commonName } = inspectCertificate(certificate.pem);
    return commonName.startsWith(nodeUserPrefix)
      ? commonName.slice(nodeUserPrefix.length)
      : undefined;
  } catch {
    // A broken kubelet.conf is the business of whoever uses it; the name can still be told.
    return undefined;
  }
}
