import { configMaps, daemonSets } from '@slipway/api';
import { compareBytes, type JsonObject } from '@slipway/base';
import { stringify } from 'yaml';
import { clusterRoleBinding, joiningNodes, readAccess } from '../object/access.ts';
import { type ClusterObject, clusterObject } from '../object/cluster-object.ts';
import { generatedAnnotations } from '../object/component-config-hash.ts';
import { serviceAccounts } from '../object/kinds.ts';
import { yamlText } from '../object/yaml-text.ts';
import type { PatchObject } from './coredns.ts';

const namespace = 'kube-system';
const name = 'kube-proxy';
const mounted = '/var/lib/kube-proxy';
const accountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const labels = { 'k8s-app': name };

/** The ConfigMap with configuration and kubeconfig. */
export const kubeProxyConfigKey = { namespace, name } as const;

export type KubeProxyOptions = {
  readonly image: string;
  /** `https://host:port` of the API server as all nodes reach it. */
  readonly server: string;
  /** See `kubeProxyConfiguration`. */
  readonly configuration: JsonObject;
  /** No KubeProxyConfiguration was given: an upgrade may make it anew. */
  readonly isGenerated: boolean;
  /** Environment of the container: the proxies of the machine. Default none. */
  readonly environment?: readonly JsonObject[];
};

/** kube-proxy comes with the token of its ServiceAccount. */
function kubeconfig(server: string): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { cluster: { 'certificate-authority': `${accountPath}/ca.crt`, server }, name: 'default' },
      ],
      contexts: [
        { context: { cluster: 'default', namespace: 'default', user: 'default' }, name: 'default' },
      ],
      'current-context': 'default',
      users: [{ name: 'default', user: { tokenFile: `${accountPath}/token` } }],
    },
    { indentSeq: false, lineWidth: 0 },
  );
}

function configMap(options: KubeProxyOptions): ClusterObject {
  const data = {
    'kubeconfig.conf': kubeconfig(options.server).trimEnd(),
    'config.conf': yamlText(options.configuration).trimEnd(),
  };
  const annotations = options.isGenerated ? { annotations: generatedAnnotations(data) } : {};
  const metadata = { ...kubeProxyConfigKey, labels: { app: name }, ...annotations };
  return clusterObject(configMaps, { metadata, data });
}

function container({ image, environment = [] }: KubeProxyOptions): JsonObject {
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: [
      '/usr/local/bin/kube-proxy',
      `--config=${mounted}/config.conf`,
      '--hostname-override=$(NODE_NAME)',
    ],
    // It writes rules of the kernel.
    securityContext: { privileged: true },
    volumeMounts: [
      { mountPath: mounted, name },
      { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
      { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
    ],
    env: [
      { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ...[...environment].sort((a, b) => compareBytes(String(a['name']), String(b['name']))),
    ],
  };
}

function daemonSet(options: KubeProxyOptions): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: daemonSets.kind,
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: 'system-node-critical',
          containers: [container(options)],
          hostNetwork: true,
          serviceAccountName: name,
          volumes: [
            { name, configMap: { name } },
            {
              name: 'xtables-lock',
              hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' },
            },
            { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
          ],
          tolerations: [{ operator: 'Exists' }],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
        },
      },
    },
  };
}

/**
 * All that kube-proxy consists of. `patch` gets the DaemonSet as target `kubeproxydaemonset`, which
 * kubeadm knows since v1.37.
 */
export function kubeProxyObjects(
  options: KubeProxyOptions,
  patch: PatchObject = (_, object) => object,
): readonly ClusterObject[] {
  const account = { kind: 'ServiceAccount', name, namespace } as const;
  return [
    configMap(options),
    clusterObject(daemonSets, patch('kubeproxydaemonset', daemonSet(options))),
    clusterObject(serviceAccounts, { metadata: { name, namespace } }),
    clusterRoleBinding('kubeadm:node-proxier', 'system:node-proxier', account),
    ...readAccess(name, { ...kubeProxyConfigKey, plural: 'configmaps' }, [joiningNodes]),
  ];
}
