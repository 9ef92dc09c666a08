import { isJsonObject, TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

/** The cluster of a kubeconfig that names exactly one. */
export type ClusterEntry = { readonly server: string; readonly certificateAuthorityPem: string };

function fieldsOfJson(text: string): Record<string, readonly string[]> {
  const document: unknown = JSON.parse(text);
  const clusters = isJsonObject(document) ? document['clusters'] : undefined;
  const entries = Array.isArray(clusters) ? clusters : [];
  const values = (field: string): string[] =>
    entries.map((entry: unknown) => {
      const cluster = isJsonObject(entry) ? entry['cluster'] : undefined;
      const value = isJsonObject(cluster) ? cluster[field] : undefined;
      return typeof value === 'string' ? value : '';
    });
  return { server: values('server'), authority: values('certificate-authority-data') };
}

// Kubernetes writes kubeconfigs as block YAML with one scalar a line; both fields are always on one.
function fieldsOfYaml(text: string): Record<string, readonly string[]> {
  const values = (field: string): string[] =>
    [...text.matchAll(new RegExp(`^[ -]*${field}:[ \\t]*(.*?)[ \\t\\r]*$`, 'gm'))].map(
      ([, value = '']) => value.replace(/^(["'])(.*)\1$/, '$2'),
    );
  return { server: values('server'), authority: values('certificate-authority-data') };
}

/**
 * The one cluster of a kubeconfig in JSON or in the block YAML of Kubernetes: all that cluster-info and
 * kubelet.conf hold. Throws a TerminalError with `code` when there is not exactly one.
 */
export function readClusterEntry(text: string, code: BootstrapErrorCode): ClusterEntry {
  const fields = text.trimStart().startsWith('{') ? fieldsOfJson(text) : fieldsOfYaml(text);
  const [server, ...moreServers] = fields['server'] ?? [];
  const [authority, ...moreAuthorities] = fields['authority'] ?? [];
  const only = moreServers.length === 0 && moreAuthorities.length === 0;
  if (!only || !server?.startsWith('https://') || !authority) {
    throw new TerminalError(
      'read kubeconfig: expected exactly one cluster with an https server and its authority',
      { code },
    );
  }
  return { server, certificateAuthorityPem: Buffer.from(authority, 'base64').toString('utf8') };
}

/** Text of kubelet.conf: the client certificate and key are read from `credentialPath`, which is renewed. */
export function kubeletKubeconfig(
  cluster: ClusterEntry,
  nodeName: string,
  credentialPath: string,
): string {
  const authority = Buffer.from(cluster.certificateAuthorityPem).toString('base64');
  const user = `system:node:${nodeName}`;
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${authority}`,
    `    server: ${cluster.server}`,
    '  name: kubernetes',
    'contexts:',
    '- context:',
    '    cluster: kubernetes',
    `    user: ${user}`,
    `  name: ${user}@kubernetes`,
    `current-context: ${user}@kubernetes`,
    'users:',
    `- name: ${user}`,
    '  user:',
    `    client-certificate: ${credentialPath}`,
    `    client-key: ${credentialPath}`,
    '',
  ].join('\n');
}
