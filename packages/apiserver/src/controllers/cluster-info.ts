import { jsonEqual } from '@slipway/base';
import { signatureKey, signDetached, tokenSecretNamespace } from '@slipway/pki';
import {
  type LocalAccess,
  type ResourceDefinition,
  StatusError,
  type StoredObject,
} from '../contract.ts';
import { readObject, readText } from '../registry/read-path.ts';
import type { ControllerOptions } from './controller-options.ts';
import { Loop } from './loop.ts';
import { tokenOf } from './token-expiry.ts';

const namespace = 'kube-public';
const name = 'cluster-info';
const kubeconfigKey = 'kubeconfig';
const signaturePrefix = signatureKey('');

/** Where joining hosts find the server, and what they trust it by. */
export type ClusterInfo = {
  /** `https://127.0.0.1:6443`. */
  readonly server: string;
  /** PEM of the authority of the server's certificate. */
  readonly certificateAuthorityPem: string;
};

export type ClusterInfoOptions = ControllerOptions & {
  /** Undefined while the server does not know its address yet. */
  readonly clusterInfo: () => ClusterInfo | undefined;
};

/** How soon to ask again for an address that is not known yet. */
const addressWaitMs = 250;

/** The kubeconfig that discovery reads: a cluster and nothing to identify with. */
function kubeconfig({ server, certificateAuthorityPem }: ClusterInfo): string {
  const authority = Buffer.from(certificateAuthorityPem).toString('base64');
  return [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${authority}`,
    `    server: ${server}`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    'preferences: {}',
    'users: null',
    '',
  ].join('\n');
}

function signatures(secrets: readonly StoredObject[], content: string, nowMs: number) {
  const entries = secrets.flatMap((secret) => {
    const record = tokenOf(secret);
    if (record === undefined || !record.usages.includes('signing')) return [];
    if (record.expiresAt !== undefined && record.expiresAt <= nowMs) return [];
    return [[signatureKey(record.token.id), signDetached(content, record.token)] as const];
  });
  return Object.fromEntries(entries);
}

async function ensureExists(
  definition: ResourceDefinition,
  access: LocalAccess,
  content: string,
): Promise<void> {
  try {
    await access.create(definition, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { [kubeconfigKey]: content },
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
  }
}

/**
 * Keeps `kube-public/cluster-info`: the address and authority of the server, with one signature per
 * bootstrap token that may sign, so that a joining host can trust it knowing only its token.
 */
export function createClusterInfo(options: ClusterInfoOptions): Loop {
  const { access, catalogue, clock } = options;

  function nextContent(object: StoredObject, content: string, secrets: ResourceDefinition) {
    const before = readObject(object, 'data');
    const kept = Object.entries(before).filter(([key]) => !key.startsWith(signaturePrefix));
    const data = {
      ...Object.fromEntries(kept),
      [kubeconfigKey]: content,
      ...signatures(access.list(secrets, tokenSecretNamespace), content, clock.now()),
    };
    return jsonEqual(data, before) ? undefined : { ...object, data };
  }

  return new Loop({
    name: 'cluster-info',
    ...options,
    seeds: () => [name],
    keysOf({ group, plural }, { object }) {
      if (group !== '') return [];
      const { metadata } = object;
      if (plural === 'configmaps' && metadata.namespace === namespace) {
        return metadata.name === name ? [name] : [];
      }
      if (plural !== 'secrets' || metadata.namespace !== tokenSecretNamespace) return [];
      return readText(object, 'type') === 'bootstrap.kubernetes.io/token' ? [name] : [];
    },
    async reconcile() {
      const configMaps = catalogue.find('', 'v1', 'configmaps');
      const secrets = catalogue.find('', 'v1', 'secrets');
      if (configMaps === undefined || secrets === undefined) return undefined;
      const info = options.clusterInfo();
      if (info === undefined) return addressWaitMs;
      const content = kubeconfig(info);
      if (access.get(configMaps, namespace, name) === undefined) {
        await ensureExists(configMaps, access, content);
      }
      await access.update(configMaps, namespace, name, (object) =>
        nextContent(object, content, secrets),
      );
      return undefined;
    },
  });
}
