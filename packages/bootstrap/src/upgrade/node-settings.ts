import { isJsonObject } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { parseAllDocuments } from 'yaml';
import { apiEndpointAnnotation, parseApiEndpoint } from '../cluster-settings/api-endpoint.ts';
import { readNodeName } from '../cluster-settings/node-name.ts';
import type { ApiEndpoint, InitSettings } from '../config/configuration.ts';
import { settleInit } from '../config/settle-init.ts';
import type { Settled } from '../config/settled.ts';
import { yamlText } from '../object/yaml-text.ts';
import type { Ground } from '../workflow/ground.ts';
import { readManifest } from './diff-manifests.ts';

/** What the manifests of a node tell about it. */
export type NodeFacts = { readonly name: string; readonly endpoint?: ApiEndpoint };

/** Name and API endpoint of this control plane, as its manifests have them. */
export async function readNodeFacts({ files, machine }: Ground): Promise<NodeFacts> {
  const name = (await etcdName(files)) ?? (await readNodeName(files, machine));
  const endpoint = await endpointOf(files);
  return { name, ...(endpoint === undefined ? {} : { endpoint }) };
}

/** Undefined where there is no such manifest: its absence is told by who needs it. */
async function manifestOrNothing(
  files: HostFiles,
  component: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await readManifest(files, component);
  } catch {
    return {};
  }
}

async function endpointOf(files: HostFiles): Promise<ApiEndpoint | undefined> {
  const { metadata } = await manifestOrNothing(files, 'kube-apiserver');
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const text = isJsonObject(annotations) ? annotations[apiEndpointAnnotation] : undefined;
  return typeof text === 'string' ? parseApiEndpoint(text) : undefined;
}

/** The member name of etcd is the name of its node. */
async function etcdName(files: HostFiles): Promise<string | undefined> {
  const { spec } = await manifestOrNothing(files, 'etcd');
  const containers = isJsonObject(spec) ? spec['containers'] : undefined;
  const [container] = Array.isArray(containers) ? containers : [];
  const command = isJsonObject(container) ? container['command'] : undefined;
  const argument = (Array.isArray(command) ? command : []).find(
    (word) => typeof word === 'string' && word.startsWith('--name='),
  );
  return typeof argument === 'string' ? argument.slice('--name='.length) : undefined;
}

/** Kinds of the documents in a text; none where it cannot be read. */
export function documentKinds(text: string): readonly string[] {
  const parsed = parseAllDocuments(text, { logLevel: 'silent' });
  const documents = 'empty' in parsed ? [] : parsed;
  return documents.flatMap((document) => {
    const content: unknown = document.errors.length > 0 ? undefined : document.toJS();
    const kind = isJsonObject(content) ? content['kind'] : undefined;
    return typeof kind === 'string' ? [kind] : [];
  });
}

/**
 * The settings of this control plane: those of the cluster (`text`: its ClusterConfiguration, and what
 * else a configuration file holds) with the name and the endpoint that the node has.
 */
export async function settleControlPlane(
  text: string,
  ground: Ground,
  { name, endpoint }: NodeFacts,
): Promise<Settled<InitSettings>> {
  // Only fields that no manifest tells are taken from the file; the socket appears in none.
  const node = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'InitConfiguration',
    nodeRegistration: { name, criSocket: 'unix:///var/run/containerd/containerd.sock' },
    ...(endpoint === undefined ? {} : { localAPIEndpoint: endpoint }),
  };
  const isComplete = documentKinds(text).some((kind) =>
    /^(?:Init|Master)Configuration$/.test(kind),
  );
  const whole = isComplete ? text : `${text}\n---\n${yamlText(node)}`;
  const { value, issues } = await settleInit({ text: whole, flags: {}, ground });
  if (value === undefined) return { issues };
  const { init } = value;
  const nodeRegistration = { ...init.nodeRegistration, name };
  const localAPIEndpoint = endpoint ?? init.localAPIEndpoint;
  return { value: { ...value, init: { ...init, nodeRegistration, localAPIEndpoint } }, issues };
}
