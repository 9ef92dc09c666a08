import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, terminal } from '../errors.ts';

/**
 * Where a machine needs a cgroup of its own, as `systemd-nspawn --keep-unit` puts `payload` and
 * `supervisor` below the cgroup it is started in: the cgroup2 hierarchy, and systemd's own
 * hierarchy where version 1 is mounted.
 */
export function cgroupRoots(): readonly string[] {
  const roots: string[] = [];
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const point = left.split(' ')[4] ?? '';
    const [type, , options = ''] = right.split(' ');
    const systemd = type === 'cgroup' && options.split(',').includes('name=systemd');
    if ((type === 'cgroup2' || systemd) && point.startsWith('/sys/fs/cgroup')) roots.push(point);
  }
  return [...new Set(roots)];
}

/** Makes the cgroups of a machine; the files to which its first process has to write its id. */
export function makeCgroups(id: string): readonly string[] {
  return cgroupRoots().map((root) => {
    const path = join(root, id);
    removeTree(path);
    mkdirSync(path, { recursive: true });
    return join(path, 'cgroup.procs');
  });
}

/** Names of the cgroups that machines with this prefix have left. */
export function cgroupsWithPrefix(prefix: string): readonly string[] {
  const names = cgroupRoots().flatMap((root) => readdirSync(root));
  return [...new Set(names.filter((name) => name.startsWith(prefix)))];
}

const patienceMs = 10_000;

/** Kills everything in a machine's cgroups and removes them. */
export async function clearCgroups(id: string): Promise<void> {
  for (const root of cgroupRoots()) {
    const path = join(root, id);
    for (const end = Date.now() + patienceMs; !removeTree(path); await pause(20)) {
      if (Date.now() > end) {
        throw terminal('host.nspawn.start', `remove cgroup ${path}: its processes do not end`);
      }
      killTree(path);
    }
  }
}

function killTree(path: string): void {
  for (const pid of processesIn(path)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }
}

function processesIn(path: string): readonly number[] {
  const own = readIfThere(join(path, 'cgroup.procs'));
  const pids = own.split('\n').filter((line) => line !== '' && line !== '0');
  const below = childrenOf(path).flatMap((child) => processesIn(child));
  return [...pids.map(Number), ...below];
}

/** Removes a cgroup and all below it; false while a process is left in one of them. */
function removeTree(path: string): boolean {
  const emptied = childrenOf(path).map((child) => removeTree(child));
  if (emptied.includes(false)) return false;
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return errnoOf(error) === 'ENOENT';
  }
}

function childrenOf(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
