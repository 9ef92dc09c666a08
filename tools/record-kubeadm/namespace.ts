import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Prefix of a command that runs it with mounts, host name and network of its own. */
export const ownNamespaces: readonly string[] = [
  'unshare',
  '--mount',
  '--uts',
  '--net',
  '--propagation=private',
];

/** Runs a program of the system; throws with what it said. */
function must(argv: readonly string[]): void {
  const [program = '', ...rest] = argv;
  const { status, stderr, error } = spawnSync(program, rest, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${argv.join(' ')}: exit ${status}: ${stderr}`);
}

/**
 * Makes this process's namespaces a machine where nothing of Kubernetes has been, named `cp1`, without
 * a network. What is written below /etc, /var/lib and /srv goes to memory and ends with the process.
 */
export function becomeBareMachine(): void {
  process.umask(0o022);
  must(['hostname', 'cp1']);
  must(['ip', 'link', 'set', 'lo', 'up']);
  must(['mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  for (const path of ['/etc', '/var/lib']) {
    const layer = mkdtempSync('/mnt/layer-');
    const [upper, work] = [join(layer, 'upper'), join(layer, 'work')];
    mkdirSync(upper);
    mkdirSync(work);
    must([
      'mount',
      '-t',
      'overlay',
      'overlay',
      '-o',
      `lowerdir=${path},upperdir=${upper},workdir=${work}`,
      path,
    ]);
  }
  must(['mount', '-t', 'tmpfs', 'tmpfs', '/srv']);
  // What the computer has of Kubernetes is hidden, not touched: the layer remembers that it is gone.
  for (const path of ['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd'])
    rmSync(path, { recursive: true, force: true });
}
