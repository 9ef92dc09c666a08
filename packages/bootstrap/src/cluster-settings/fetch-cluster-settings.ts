import { type ConfigMap, configMaps } from '@slipway/api';
import {
  formatIssue,
  hasErrors,
  type Issue,
  isJsonObject,
  type JsonObject,
  TerminalError,
} from '@slipway/base';
import { isForbidden, isNotFound, type KubeClient } from '@slipway/kube';
import { parse } from 'yaml';
import type { ClusterConfiguration, ComponentConfigurations } from '../config/configuration.ts';
import { settleCluster } from '../config/settle-cluster.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { isGenerated } from '../object/component-config-hash.ts';
import { clusterConfigurationKey, kubeadmConfigKey } from '../object/kubeadm-config.ts';
import { kubeletConfigKey } from '../object/kubelet-config.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';

/** What a cluster is configured with, as it stores it itself. */
export type ClusterSettings = {
  readonly cluster: ClusterConfiguration;
  readonly components: ComponentConfigurations;
  /** Which component configurations were generated and not changed since: an upgrade may make them anew. */
  readonly generated: { readonly kubelet: boolean; readonly kubeProxy: boolean };
  /** What is odd about the stored configuration and does not refuse it. */
  readonly warnings: readonly Issue[];
};

const kubeProxyKey = { namespace: 'kube-system', name: 'kube-proxy' } as const;

/**
 * Reads ClusterConfiguration (ConfigMap kubeadm-config), KubeletConfiguration (kubelet-config) and, where
 * there is one, KubeProxyConfiguration (kube-proxy). A bootstrap token is enough. Failures are tried
 * again for `timeoutMs`, default 1 minute. Throws a TerminalError.
 */
export async function fetchClusterSettings(
  client: KubeClient,
  waiting: Waiting,
): Promise<ClusterSettings> {
  const kubeadmConfig = await fetchConfigMap(client, waiting, kubeadmConfigKey);
  const settled = settleCluster(demandText(kubeadmConfig, clusterConfigurationKey));
  if (settled.value === undefined || hasErrors(settled.issues)) throw invalid(settled.issues);
  const kubeletConfig = await fetchConfigMap(client, waiting, kubeletConfigKey);
  const kubeProxy = await findConfigMap(client, waiting, kubeProxyKey);
  const proxyText = kubeProxy?.data?.['config.conf'];
  return {
    cluster: settled.value,
    components: {
      kubelet: documentOf('kubelet-config', demandText(kubeletConfig, 'kubelet')),
      ...(proxyText === undefined ? {} : { kubeProxy: documentOf('kube-proxy', proxyText) }),
    },
    generated: {
      kubelet: isGenerated(kubeletConfig),
      kubeProxy: kubeProxy !== undefined && isGenerated(kubeProxy),
    },
    warnings: settled.issues,
  };
}

type Key = { readonly namespace: string; readonly name: string };

function demandText({ metadata, data }: ConfigMap, member: string): string {
  const text = data?.[member];
  if (text !== undefined) return text;
  throw missing(`ConfigMap ${metadata?.name} has no ${member}`);
}

async function fetchConfigMap(client: KubeClient, waiting: Waiting, key: Key): Promise<ConfigMap> {
  const { timeoutMs = 60_000, signal } = waiting;
  return await waitFor<ConfigMap>(
    { ...waiting, timeoutMs, expired: (last) => missing(`ConfigMap ${key.name}`, last) },
    () => client.get(configMaps, key, signal === undefined ? {} : { signal }),
  );
}

/** Undefined when the cluster has none. */
async function findConfigMap(
  client: KubeClient,
  waiting: Waiting,
  key: Key,
): Promise<ConfigMap | undefined> {
  const { timeoutMs = 60_000, signal } = waiting;
  const { found } = await waitFor<{ found: ConfigMap | undefined }>(
    { ...waiting, timeoutMs, expired: (last) => missing(`ConfigMap ${key.name}`, last) },
    async () => {
      try {
        const options = signal === undefined ? {} : { signal };
        return { found: await client.get(configMaps, key, options) };
      } catch (error) {
        // The right to read it comes with the add-on: where there is none, that is refused as well.
        if (isNotFound(error) || isForbidden(error)) return { found: undefined };
        throw error;
      }
    },
  );
  return found;
}

function documentOf(name: string, text: string): JsonObject {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    throw unreadable(name, 'it is not YAML', cause);
  }
  if (isJsonObject(document)) return document as JsonObject;
  throw unreadable(name, 'it is not a map');
}

function missing(what: string, cause?: unknown): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.cluster-settings.missing';
  return new TerminalError(`read configuration of the cluster: ${what}`, { code, cause });
}

function invalid(issues: readonly Issue[]): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.cluster-settings.invalid';
  const findings = issues.filter(({ severity }) => severity === 'error').map(formatIssue);
  return new TerminalError(`read ConfigMap kubeadm-config: ${findings.join('; ')}`, { code });
}

function unreadable(name: string, why: string, cause?: unknown): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.cluster-settings.invalid';
  return new TerminalError(`read ConfigMap ${name}: ${why}`, { code, cause });
}
