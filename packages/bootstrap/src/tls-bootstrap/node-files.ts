import type { KeyObject } from 'node:crypto';
import { Secret, TerminalError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import type { ConnectionConfig } from '@slipway/kube';
import {
  encodePrivateKey,
  generatePrivateKey,
  inspectCertificate,
  loadCertificateAndKey,
  parsePrivateKey,
} from '@slipway/pki';
import {
  type ClusterEntry,
  kubeletKubeconfig,
  readClusterEntry,
} from '../discovery/cluster-kubeconfig.ts';
import type { BootstrapErrorCode } from '../errors.ts';

/** Where a node keeps its identity: the kubelet's own places, so that a real kubelet can take over. */
export const nodePaths = {
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  /** Certificate, then key, in one file: replaced as one. */
  credential: '/var/lib/kubelet/pki/kubelet-client-current.pem',
  /** The key that a signing request is waiting for. */
  pendingKey: '/var/lib/kubelet/pki/kubelet-client.key.tmp',
} as const satisfies Record<string, HostPath>;

const secretFile = { mode: 0o600, uid: 0, gid: 0 };
const directory = { mode: 0o755, uid: 0, gid: 0 };

/** A node's client certificate with its key. */
export type NodeCredential = {
  readonly certificatePem: string;
  readonly key: KeyObject;
  /** Ms since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
};

async function readText(files: HostFiles, path: HostPath): Promise<string | undefined> {
  const stat = await files.stat(path);
  return stat === undefined ? undefined : Buffer.from(await files.read(path)).toString('utf8');
}

async function writeSecret(files: HostFiles, path: HostPath, text: string): Promise<void> {
  await files.makeDirectory(path.slice(0, path.lastIndexOf('/')), directory);
  await files.write(path, Buffer.from(text), secretFile);
}

/** The stored credential, if it is whole, for this node and valid at `now`; undefined: ask for one. */
export async function readCredential(
  files: HostFiles,
  nodeName: string,
  now: number,
): Promise<NodeCredential | undefined> {
  const text = await readText(files, nodePaths.credential);
  if (text === undefined) return undefined;
  try {
    const { certificatePem, key } = loadCertificateAndKey(text, text);
    const summary = inspectCertificate(certificatePem);
    const { notBefore, notAfter } = summary;
    const usable = now >= notBefore && now < notAfter;
    if (!usable || summary.commonName !== `system:node:${nodeName}`) return undefined;
    return { certificatePem, key, notBefore, notAfter };
  } catch {
    // A credential that cannot be read is replaced, as an expired one is.
    return undefined;
  }
}

/** Replaces the credential and drops the pending key. */
export async function writeCredential(
  files: HostFiles,
  certificatePem: string,
  key: KeyObject,
): Promise<void> {
  const text = `${certificatePem.trimEnd()}\n${encodePrivateKey(key, 'sec1').reveal()}`;
  await writeSecret(files, nodePaths.credential, text);
  await files.remove(nodePaths.pendingKey);
}

/** The key of the request in flight; made and stored before anything is asked, so that a restart asks the same. */
export async function pendingKey(files: HostFiles): Promise<KeyObject> {
  const text = await readText(files, nodePaths.pendingKey);
  if (text !== undefined) {
    try {
      return parsePrivateKey(text);
    } catch {
      // Half of a key is worth nothing and was never used.
    }
  }
  const key = await generatePrivateKey('ecdsa-p256');
  await writeSecret(files, nodePaths.pendingKey, encodePrivateKey(key, 'sec1').reveal());
  return key;
}

/** Forgets the pending key, after its request was denied. */
export async function dropPendingKey(files: HostFiles): Promise<void> {
  await files.remove(nodePaths.pendingKey);
}

/** The cluster that kubelet.conf names; undefined when there is no such file. */
export async function readNodeCluster(files: HostFiles): Promise<ClusterEntry | undefined> {
  const text = await readText(files, nodePaths.kubeconfig);
  if (text === undefined) return undefined;
  return readClusterEntry(text, 'bootstrap.kubelet-conf.malformed');
}

/** Writes kubelet.conf. */
export async function writeNodeCluster(
  files: HostFiles,
  nodeName: string,
  cluster: ClusterEntry,
): Promise<void> {
  const text = kubeletKubeconfig(cluster, nodeName, nodePaths.credential);
  await writeSecret(files, nodePaths.kubeconfig, text);
}

/**
 * How a client connects as this node, read from the node's own files; give the function itself to
 * `createKubeClient` and a renewed certificate is taken up. Throws a TerminalError when the node has not joined.
 */
export async function nodeConnection(files: HostFiles): Promise<ConnectionConfig> {
  const cluster = await readNodeCluster(files);
  const credential = await readText(files, nodePaths.credential);
  if (cluster === undefined || credential === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.kubelet-conf.malformed';
    throw new TerminalError(`read ${nodePaths.kubeconfig}: this host has not joined a cluster`, {
      code,
    });
  }
  return {
    server: cluster.server,
    certificateAuthority: { pem: cluster.certificateAuthorityPem },
    clientCertificate: { pem: credential },
    clientKey: { secret: new Secret(credential) },
  };
}
