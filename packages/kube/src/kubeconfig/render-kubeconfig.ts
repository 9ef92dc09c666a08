import type { PemSource, SecretSource } from '../client/connection-config.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

type Entry = readonly [key: string, value: string | boolean | undefined];

/**
 * The text of a kubeconfig as kubectl writes it: YAML, fields in alphabetical order. It holds secrets
 * in the clear: write it with mode 0600. Paths are written as they are given.
 */
export function renderKubeconfig(kubeconfig: Kubeconfig): string {
  const contexts = kubeconfig.contexts.map((context) =>
    entry(context.name, 'context', [
      ['cluster', context.cluster],
      ['namespace', context.namespace],
      ['user', context.user],
    ]),
  );
  return [
    'apiVersion: v1',
    ...list('clusters', kubeconfig.clusters.map(renderCluster)),
    ...list('contexts', contexts),
    `current-context: ${scalar(kubeconfig.currentContext ?? '')}`,
    'kind: Config',
    ...list('users', kubeconfig.users.map(renderUser)),
    '',
  ].join('\n');
}

function list(name: string, entries: readonly (readonly string[])[]): readonly string[] {
  return entries.length === 0 ? [`${name}: []`] : [`${name}:`, ...entries.flat()];
}

function entry(name: string, member: string, entries: readonly Entry[]): readonly string[] {
  const given = entries.filter(([, value]) => value !== undefined);
  const lines = given.map(([key, value]) => `    ${key}: ${scalar(value ?? '')}`);
  const body = lines.length === 0 ? [`${member}: {}`] : [`${member}:`, ...lines];
  const named = `name: ${scalar(name)}`;
  // `name` stands after cluster and context, and before user.
  return member < 'name'
    ? [`- ${body.join('\n')}`, `  ${named}`]
    : [`- ${named}`, `  ${body.join('\n')}`];
}

function renderCluster(cluster: KubeconfigCluster): readonly string[] {
  return entry(cluster.name, 'cluster', [
    ...pemEntries('certificate-authority', cluster.certificateAuthority),
    ['insecure-skip-tls-verify', cluster.insecureSkipTlsVerify],
    ['server', cluster.server],
    ['tls-server-name', cluster.tlsServerName],
  ]);
}

function renderUser(user: KubeconfigUser): readonly string[] {
  const { token } = user;
  const tokenEntry: Entry =
    token !== undefined && 'path' in token ? ['tokenFile', token.path] : ['token', reveal(token)];
  return entry(user.name, 'user', [
    ...pemEntries('client-certificate', user.clientCertificate),
    ...keyEntries(user.clientKey),
    tokenEntry,
  ]);
}

function pemEntries(name: string, source: PemSource | undefined): readonly Entry[] {
  if (source === undefined) return [];
  return 'pem' in source ? [[`${name}-data`, base64(source.pem)]] : [[name, source.path]];
}

function keyEntries(source: SecretSource | undefined): readonly Entry[] {
  if (source === undefined) return [];
  if ('path' in source) return [['client-key', source.path]];
  return [['client-key-data', base64(source.secret.reveal())]];
}

function reveal(source: SecretSource | undefined): string | undefined {
  return source !== undefined && 'secret' in source ? source.secret.reveal() : undefined;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Plain where every YAML reader takes it for a text, quoted otherwise. */
function scalar(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value);
  const isPlain = /^[A-Za-z/][A-Za-z0-9_./@+=:-]*$/.test(value) && !/:$/.test(value);
  const isReserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value);
  return isPlain && !isReserved ? value : JSON.stringify(value);
}
