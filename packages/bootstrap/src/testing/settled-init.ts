import type { InitSettings } from '../config/configuration.ts';
import { settleInit } from '../config/settle-init.ts';
import type { Ground } from '../workflow/ground.ts';

/** The socket is named, so that no runtime has to be found. */
const node = `
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 10.20.0.11}
nodeRegistration: {name: cp1, criSocket: unix:///run/containerd/containerd.sock}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
`;

/** A configuration of one cluster, node `cp1` at 10.20.0.11, v1.37.2; `cluster` is added to it as text. */
export function configurationText(cluster = ''): string {
  return `${node}${cluster}`;
}

/** The settings of a configuration that is right; throws with all findings when it is refused. */
export async function settledInit(text: string, ground: Ground): Promise<InitSettings> {
  const { value, issues } = await settleInit({ text, ground });
  if (value === undefined) throw new Error(JSON.stringify(issues, undefined, 2));
  return value;
}
