import type { HostPath } from '@slipway/host';

/** First components below which everything belongs to the system. */
const systemTrees = new Set(['bin', 'boot', 'dev', 'lib', 'lib32', 'lib64', 'proc', 'sbin', 'sys']);

/** Directories of the Filesystem Hierarchy Standard 3.0, and of distributions, that many programs use. */
const sharedDirectories = new Set([
  ...['etc', 'home', 'media', 'mnt', 'opt', 'root', 'run', 'srv', 'tmp', 'usr', 'var'],
  ...['cache', 'lib', 'local', 'lock', 'log', 'mail', 'opt', 'run', 'spool', 'tmp'].map(
    (name) => `var/${name}`,
  ),
  ...['pki', 'ssh', 'ssl', 'systemd'].map((name) => `etc/${name}`),
]);

/** Directories whose children are whole homes or parts of the system. */
const sharedParents = new Set(['home', 'usr']);

/**
 * True for a directory that holds more than one program's files, so that a reset must not empty it,
 * whatever a manifest or a flag says: `/`, `/usr/bin`, `/var/lib`, a home. Also true for a path that is
 * not plain, for nobody can tell what it leads to.
 */
export function isSystemDirectory(path: HostPath): boolean {
  const components = path.split('/').filter((name) => name !== '' && name !== '.');
  const [first, ...below] = components;
  if (first === undefined || !path.startsWith('/') || path.includes('\0')) return true;
  if (components.includes('..') || systemTrees.has(first)) return true;
  if (sharedParents.has(first) && below.length === 1) return true;
  return sharedDirectories.has(components.join('/'));
}
