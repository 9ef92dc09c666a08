import type { JsonObject } from '@slipway/base';
import { kubeProxyConfiguration } from '../addon/kube-proxy-configuration.ts';
import { kubeletConfiguration } from '../kubelet/kubelet-configuration.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';
import { initDefaults } from './print-defaults.ts';
import { renderComponentConfiguration } from './render.ts';

/** What a new cluster stores for its kubelets and for kube-proxy, as `config print` shows it. */
export function printComponentDefaults(
  kind: 'KubeletConfiguration' | 'KubeProxyConfiguration',
): string {
  return renderComponentConfiguration(
    kind === 'KubeletConfiguration' ? kubeletConfiguration(initDefaults()) : kubeProxy(),
  );
}

function kubeProxy(): JsonObject {
  const { init, cluster } = initDefaults();
  return kubeProxyConfiguration(undefined, {
    minor: kubernetesMinor(cluster.kubernetesVersion),
    advertiseAddress: init.localAPIEndpoint.advertiseAddress,
    podSubnet: cluster.networking.podSubnet,
  });
}
