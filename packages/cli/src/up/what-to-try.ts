import { join } from 'node:path';
import type { ClusterPaths, HostKind } from './settings.ts';

/** What is shown when the cluster is up: where things are, and first commands. */
export function whatToTry(paths: ClusterPaths, hosts: HostKind): readonly string[] {
  const file = join(paths.hosts, 'worker-1/root/etc/chrony.conf');
  const drift = `  echo '# mine' >> ${file}    # the node becomes Degraded`;
  return [
    '',
    'The cluster is up. In another terminal:',
    '',
    `  export KUBECONFIG=${paths.kubeconfig}`,
    '  kubectl get nodes',
    '  kubectl get machineconfigpool',
    '  kubectl apply -f examples/00-policy.yaml -f examples/99-worker-chrony.yaml',
    '  kubectl get machineconfigpool worker -w',
    ...(hosts === 'simulated' ? [drift] : []),
    '  kubectl delete machineconfig 99-worker-chrony',
    '',
    `Everything is kept in ${paths.data}.`,
    'Ctrl-C stops the cluster in order, a second one at once; with the same --data it goes on where it was.',
  ];
}
