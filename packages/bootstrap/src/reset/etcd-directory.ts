import { isJsonObject } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { parse } from 'yaml';
import type { ClusterConfiguration } from '../config/configuration.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';

/** Where this node's etcd keeps its data; external: etcd is not on this node. */
export type EtcdDirectory =
  | { readonly kind: 'local'; readonly path: HostPath }
  | { readonly kind: 'external' };

/** From the cluster's configuration, else from the static pod, else kubeadm's default. */
export async function etcdDirectory(
  files: HostFiles,
  cluster: ClusterConfiguration | undefined,
): Promise<EtcdDirectory> {
  if (cluster !== undefined) {
    return 'local' in cluster.etcd
      ? { kind: 'local', path: cluster.etcd.local.dataDir }
      : { kind: 'external' };
  }
  const text = await readHostText(files, `${kubernetesPaths.manifests}/etcd.yaml`);
  const path = text === undefined ? kubernetesPaths.etcdData : volumePath(text);
  // A manifest without the volume is nothing that kubeadm made: hands off.
  return path === undefined ? { kind: 'external' } : { kind: 'local', path };
}

function volumePath(text: string): HostPath | undefined {
  const manifest: unknown = parse(text, { logLevel: 'silent' });
  const spec = isJsonObject(manifest) ? manifest['spec'] : undefined;
  const volumes = isJsonObject(spec) ? spec['volumes'] : undefined;
  if (!Array.isArray(volumes)) return undefined;
  const volume: unknown = volumes.find((one) => isJsonObject(one) && one['name'] === 'etcd-data');
  const hostPath = isJsonObject(volume) ? volume['hostPath'] : undefined;
  const path = isJsonObject(hostPath) ? hostPath['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}
