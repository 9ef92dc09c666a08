import { jsonEqual } from '@slipway/base';
import { signatureKey, signDetached, tokenSecretNamespace, tokenSecretType } from '@slipway/pki';
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

/** Who publishes a token and the ConfigMap together is not to be disturbed half-way. */
const settleMs = 1000;

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

function withSignatures(
  object: StoredObject,
  secrets: readonly StoredObject[],
  nowMs: number,
): StoredObject | undefined {
  const before = readObject(object, 'data');
  const content = before[kubeconfigKey];
  const kept = Object.entries(before).filter(([key]) => !key.startsWith(signaturePrefix));
  const signed = typeof content === 'string' ? signatures(secrets, content, nowMs) : {};
  const data = { ...Object.fromEntries(kept), ...signed };
  return jsonEqual(data, before) ? undefined : { ...object, data };
}

/**
 * Keeps one signature per bootstrap token in `kube-public/cluster-info`, so that a joining host can
 * trust it knowing only its token. The ConfigMap is created when it is absent; whoever changes the
 * kubeconfig in it afterwards owns it, as kubeadm does.
 */
export function createClusterInfo(options: ClusterInfoOptions): Loop {
  const { access, catalogue, clock } = options;
  return new Loop({
    name: 'cluster-info',
    ...options,
    settleMs,
    seeds: () => [name],
    keysOf({ group, plural }, { object }) {
      if (group !== '') return [];
      const { metadata } = object;
      if (plural === 'configmaps' && metadata.namespace === namespace) {
        return metadata.name === name ? [name] : [];
      }
      if (plural !== 'secrets' || metadata.namespace !== tokenSecretNamespace) return [];
      return readText(object, 'type') === tokenSecretType ? [name] : [];
    },
    async reconcile() {
      const configMaps = catalogue.find('', 'v1', 'configmaps');
      const secrets = catalogue.find('', 'v1', 'secrets');
      if (configMaps === undefined || secrets === undefined) return undefined;
      if (access.get(configMaps, namespace, name) === undefined) {
        const info = options.clusterInfo();
        if (info === undefined) return addressWaitMs;
        await ensureExists(configMaps, access, kubeconfig(info));
      }
      await access.update(configMaps, namespace, name, (object) =>
        withSignatures(object, access.list(secrets, tokenSecretNamespace), clock.now()),
      );
      return undefined;
    },
  });
}
