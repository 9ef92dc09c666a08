import {
  configMaps,
  daemonSets,
  type KubeObject,
  type Node,
  nodeRoleLabel,
  nodes,
  type Pod,
  pods,
  type Resource,
} from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import { isForbidden, isNotFound, type KubeClient } from '@slipway/kube';
import { parse } from 'yaml';
import { dnsLabels } from '../addon/coredns.ts';
import { kubeProxyConfigKey } from '../addon/kube-proxy.ts';
import { deployments } from '../object/kinds.ts';
import { kubeletConfigKey } from '../object/kubelet-config.ts';
import {
  controlPlanePods,
  imageTag,
  type ObservedCluster,
  type ObservedComponent,
  type ObservedConfiguration,
} from './observed-cluster.ts';

const namespace = 'kube-system';

/** Image of the container with this name, else of the first one. */
function containerImage(podSpec: unknown, name: string): string | undefined {
  const containers = isJsonObject(podSpec) ? podSpec['containers'] : undefined;
  if (!Array.isArray(containers)) return undefined;
  const found = containers.filter(isJsonObject);
  const container = found.find((each) => each['name'] === name) ?? found[0];
  const image = container?.['image'];
  return typeof image === 'string' ? image : undefined;
}

/** Version by the tag of the image; a digest alone tells none. */
function versionByImage(podSpec: unknown, name: string): string | undefined {
  return imageTag(containerImage(podSpec, name) ?? '');
}

function templateSpec(workload: KubeObject): unknown {
  const { spec } = workload as { readonly spec?: unknown };
  const template = isJsonObject(spec) ? spec['template'] : undefined;
  return isJsonObject(template) ? template['spec'] : undefined;
}

async function controlPlaneComponents(client: KubeClient): Promise<{
  readonly components: readonly ObservedComponent[];
  readonly unknown: readonly string[];
}> {
  const found = await client.list(pods, { namespace, labelSelector: 'tier=control-plane' });
  const components: ObservedComponent[] = [];
  const unknown: string[] = [];
  for (const pod of found) {
    const component = controlPlanePods.find((each) => each === componentOf(pod));
    if (component === undefined) continue;
    const node = pod.spec?.nodeName ?? '';
    const version = versionByImage(pod.spec, component);
    if (version !== undefined) components.push({ component, node, version });
    else unknown.push(`version of ${component} on ${node}: its image has no tag`);
  }
  if (!components.some(({ component }) => component === 'kube-apiserver')) {
    unknown.push('versions of the control plane: there are no pods of kube-apiserver');
  }
  return { components, unknown };
}

function componentOf(pod: Pod): string | undefined {
  return pod.metadata?.labels?.['component'];
}

function kubeletOf(node: Node): ObservedComponent {
  const version = node.status?.nodeInfo?.['kubeletVersion'] ?? '';
  return { component: 'kubelet', node: node.metadata?.name ?? '', version };
}

function isControlPlane(node: Node): boolean {
  return node.metadata?.labels?.[nodeRoleLabel.controlPlane] !== undefined;
}

function isReady(node: Node): boolean {
  const conditions = node.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Undefined when there is none, or when it may not be read. */
async function readIfThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

async function addonVersion<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  labelSelector: string,
  container: string,
): Promise<string | undefined> {
  const found = await readIfThere(() => client.list(resource, { namespace, labelSelector }));
  const [workload] = found ?? [];
  return workload && versionByImage(templateSpec(workload), container);
}

/** API group and version of the document that a ConfigMap holds. */
async function configurationIn(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
  entry: string,
): Promise<readonly ObservedConfiguration[]> {
  const found = await readIfThere(() => client.get(configMaps, key));
  return configurationVersion(found?.data?.[entry]);
}

/** API group and version of a component configuration; none when the text is no such document. */
export function configurationVersion(text: string | undefined): readonly ObservedConfiguration[] {
  try {
    const document: unknown = parse(text ?? '');
    const apiVersion = isJsonObject(document) ? document['apiVersion'] : undefined;
    const [group, version] = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
    return group === undefined || version === undefined ? [] : [{ group, version }];
  } catch {
    // Not YAML: whoever wrote it is told by the component that reads it.
    return [];
  }
}

/** `gitVersion` of what answers at `/version`, a proxy perhaps; undefined when it is no such answer. */
async function serverVersion(client: KubeClient): Promise<string | undefined> {
  const { status, body } = await client.raw('/version');
  if (status !== 200) return undefined;
  try {
    const answer: unknown = JSON.parse(body);
    const version = isJsonObject(answer) ? answer['gitVersion'] : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Asks a cluster for the versions of all that an upgrade changes. Throws when it cannot be reached. */
export async function observeCluster(client: KubeClient): Promise<ObservedCluster> {
  const controlPlane = await controlPlaneComponents(client);
  const allNodes = await client.list(nodes);
  const selector = `k8s-app=${dnsLabels['k8s-app']}`;
  const coreDns = await addonVersion(client, deployments, selector, 'coredns');
  const kubeProxy = await addonVersion(client, daemonSets, 'k8s-app=kube-proxy', 'kube-proxy');
  const version = await serverVersion(client);
  const notReady = allNodes.filter((node) => isControlPlane(node) && !isReady(node));
  return {
    components: [...controlPlane.components, ...allNodes.map(kubeletOf)],
    ...(version === undefined ? {} : { serverVersion: version }),
    ...(coreDns === undefined ? {} : { coreDns }),
    ...(kubeProxy === undefined ? {} : { kubeProxy }),
    configurations: [
      ...(await configurationIn(client, kubeProxyConfigKey, 'config.conf')),
      ...(await configurationIn(client, kubeletConfigKey, 'kubelet')),
    ],
    problems: notReady.map(({ metadata }) => `control plane ${metadata?.name} is not ready`),
    unknown: controlPlane.unknown,
  };
}
