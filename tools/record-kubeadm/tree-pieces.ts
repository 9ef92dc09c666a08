import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import {
  belongsTogether,
  certificateFacts,
  privateKeyFacts,
  publicKeyFacts,
} from './certificate-facts.ts';
import type { Pieces } from './recording.ts';

/** What a control plane has on disk below `root`: the same reading for kubeadm's files and for ours. */
export function treePieces(root: string): Pieces {
  return {
    ...certificatePieces(root),
    ...kubeconfigPieces(root),
    ...yamlPieces(root, 'manifest', 'etc/kubernetes/manifests/*.yaml'),
    ...yamlPieces(root, 'kubelet', 'var/lib/kubelet/*.yaml'),
    ...flagsPiece(root),
    ...directoryPieces(root),
  };
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function modeOf(root: string, path: string): string {
  return (statSync(join(root, path)).mode & 0o7777).toString(8);
}

function find(root: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: root }).sort();
}

function certificatePieces(root: string): Pieces {
  // Wherever certificatesDir is.
  const folder = find(root, '{etc/kubernetes/pki,srv/pki}/**/*.{crt,key,pub}');
  const authorities = folder
    .filter((path) => path.endsWith('ca.crt'))
    .map((path) => read(root, path));
  return Object.fromEntries(
    folder.map((path) => {
      const name = `/${path}`;
      const mode = modeOf(root, path);
      const pem = read(root, path);
      if (path.endsWith('.key')) return [`key${name}`, { mode, key: privateKeyFacts(pem) }];
      if (path.endsWith('.pub')) return [`key${name}`, { mode, key: publicKeyFacts(pem) }];
      const key = path.replace(/crt$/, 'key');
      return [
        `certificate${name}`,
        {
          mode,
          ...certificateFacts(pem),
          ...(folder.includes(key) ? belongsTogether(pem, read(root, key), authorities) : {}),
        },
      ];
    }),
  );
}

type Kubeconfig = {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
};

function kubeconfigPieces(root: string): Pieces {
  return Object.fromEntries(
    find(root, 'etc/kubernetes/*.conf').map((path) => {
      const text = read(root, path);
      const { clusters, users } = parse(text) as Kubeconfig;
      const decoded = (value: string | undefined) => Buffer.from(value ?? '', 'base64').toString();
      const user = users[0]?.user ?? {};
      const certificate = decoded(user['client-certificate-data']);
      const key = decoded(user['client-key-data']);
      const authority = decoded(clusters[0]?.cluster['certificate-authority-data']);
      return [
        `kubeconfig/${basename(path)}`,
        {
          mode: modeOf(root, path),
          content: blanked(parse(text)),
          certificate: {
            ...certificateFacts(certificate),
            ...belongsTogether(certificate, key, [authority]),
          },
          key: privateKeyFacts(key),
          authority: certificateFacts(authority).subject,
        },
      ];
    }),
  );
}

function yamlPieces(root: string, kind: string, pattern: string): Pieces {
  return Object.fromEntries(
    find(root, pattern).map((path) => [
      `${kind}/${basename(path)}`,
      { mode: modeOf(root, path), content: parse(read(root, path)) as unknown },
    ]),
  );
}

function flagsPiece(root: string): Pieces {
  return Object.fromEntries(
    find(root, 'var/lib/kubelet/kubeadm-flags.env').map((path) => [
      'kubelet/kubeadm-flags.env',
      { mode: modeOf(root, path), content: read(root, path) },
    ]),
  );
}

function directoryPieces(root: string): Pieces {
  const paths = [
    'etc/kubernetes/manifests',
    'etc/kubernetes/pki',
    'etc/kubernetes/pki/etcd',
    'var/lib/etcd',
    'var/lib/kubelet',
    'srv/etcd',
  ];
  return Object.fromEntries(
    paths
      .filter((path) => find(root, path).length > 0)
      .map((path) => [`directory/${path}`, modeOf(root, path)]),
  );
}

/** The same without embedded certificates and keys, which are new in every run. */
export function blanked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blanked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key.endsWith('-data') && typeof inner === 'string' ? '<data>' : blanked(inner),
    ]),
  );
}
