import { type Pod, pods } from '@slipway/api';
import type { KubeClient } from '@slipway/kube';

/** Where the static pod of etcd says how its member is reached; kubeadm writes and reads it. */
export const etcdClientUrlsAnnotation = 'kubeadm.kubernetes.io/etcd.advertise-client-urls';

/** Client addresses of the stacked members, from the annotations of their mirror pods. */
export async function fetchEtcdEndpoints(
  client: KubeClient,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found = await client.list(pods, {
    namespace: 'kube-system',
    labelSelector: 'component=etcd,tier=control-plane',
    ...(signal === undefined ? {} : { signal }),
  });
  return found.flatMap(endpointsOf);
}

function endpointsOf(pod: Pod): readonly string[] {
  const urls = pod.metadata?.annotations?.[etcdClientUrlsAnnotation] ?? '';
  return urls.split(',').filter((url) => url !== '');
}
