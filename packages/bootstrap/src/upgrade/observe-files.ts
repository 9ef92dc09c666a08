import { posix } from 'node:path';
import { isJsonObject } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { parse } from 'yaml';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { configurationVersion } from './observe-cluster.ts';
import {
  controlPlanePods,
  imageTag,
  type ObservedCluster,
  type ObservedComponent,
} from './observed-cluster.ts';

/** Why nothing but this machine is looked at. */
const notAsked = 'no cluster was asked';

function imageOf(manifest: string): string | undefined {
  const pod: unknown = parse(manifest);
  const spec = isJsonObject(pod) ? pod['spec'] : undefined;
  const containers = isJsonObject(spec) ? spec['containers'] : undefined;
  const [container] = Array.isArray(containers) ? containers : [];
  const image = isJsonObject(container) ? container['image'] : undefined;
  return typeof image === 'string' ? image : undefined;
}

/** Version of a static pod by its manifest, or why it cannot be told; neither when there is none. */
async function readVersion(
  files: HostFiles,
  component: string,
): Promise<{ readonly version?: string; readonly problem?: string }> {
  const path = posix.join(kubernetesPaths.manifests, `${component}.yaml`);
  const text = await readHostText(files, path);
  if (text === undefined) return {};
  try {
    const version = imageTag(imageOf(text) ?? '');
    if (version !== undefined) return { version };
    return { problem: `version of ${component}: ${path} names no image with a tag` };
  } catch {
    return { problem: `version of ${component}: ${path} is not YAML` };
  }
}

/**
 * What the files of one control plane tell about its cluster: the static pods of this node, and the
 * KubeletConfiguration. The rest is listed as not known.
 */
export async function observeFiles(files: HostFiles, nodeName: string): Promise<ObservedCluster> {
  const components: ObservedComponent[] = [];
  const unknown: string[] = [];
  for (const component of controlPlanePods) {
    const { version, problem } = await readVersion(files, component);
    if (version !== undefined) components.push({ component, node: nodeName, version });
    if (problem !== undefined) unknown.push(problem);
  }
  if (!components.some(({ component }) => component === 'kube-apiserver')) {
    unknown.push(
      `version of the control plane: ${kubernetesPaths.manifests} has no readable kube-apiserver.yaml`,
    );
  }
  const kubelet = await readHostText(files, kubernetesPaths.kubeletConfiguration);
  return {
    components,
    configurations: configurationVersion(kubelet),
    problems: [],
    unknown: [
      ...unknown,
      `versions of the kubelets: ${notAsked}`,
      `versions of kube-proxy and CoreDNS: ${notAsked}`,
      `other control planes: ${notAsked}`,
    ],
  };
}
