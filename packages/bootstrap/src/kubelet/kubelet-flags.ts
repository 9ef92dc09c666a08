import type { ClusterConfiguration, NodeRegistration, Taint } from '../config/configuration.ts';
import { hasNodeLocalSockets } from '../facts/feature-gates.ts';
import { releaseFacts } from '../facts/versions.ts';
import { componentImage } from '../image/component-image.ts';
import { commandLine, type DefaultFlags, lastArgument } from '../manifest/command-line.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';

export type KubeletFlagsOrder = {
  readonly cluster: ClusterConfiguration;
  readonly node: NodeRegistration;
  /** Name of the machine, lower case. */
  readonly hostname: string;
  /** A worker registers with its taints; those of a control plane are put on its Node later. */
  readonly registerTaints: boolean;
};

/** Text of kubeadm-flags.env: flags that differ from node to node, the user's own last (phases/kubelet/flags.go). */
export function kubeletFlagsText(order: KubeletFlagsOrder): string {
  const words = commandLine(defaultFlags(order), order.node.kubeletExtraArgs);
  return `KUBELET_KUBEADM_ARGS=${JSON.stringify(words.join(' '))}\n`;
}

function defaultFlags({
  cluster,
  node,
  hostname,
  registerTaints,
}: KubeletFlagsOrder): DefaultFlags {
  const facts = releaseFacts(kubernetesMinor(cluster.kubernetesVersion));
  const name = nodeNameOf(node);
  return {
    ...(hasNodeLocalSockets(cluster) ? {} : { 'container-runtime-endpoint': node.criSocket }),
    ...(facts.hasPodInfraContainerImage
      ? { 'pod-infra-container-image': componentImage('pause', cluster) }
      : {}),
    ...(registerTaints && node.taints.length > 0
      ? { 'register-with-taints': node.taints.map(taintText).join(',') }
      : {}),
    ...(name === hostname ? {} : { 'hostname-override': name }),
  };
}

/** The name that the kubelet registers under: its own flag wins over nodeRegistration.name. */
export function nodeNameOf(node: NodeRegistration): string {
  return lastArgument(node.kubeletExtraArgs, 'hostname-override')?.value ?? node.name;
}

/** `key=value:effect`, as the kubelet's flag has it. */
function taintText({ key, value, effect }: Taint): string {
  return value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}
