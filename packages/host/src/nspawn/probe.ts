import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../process/run.ts';
import { cgroupRoots } from './cgroup.ts';

const programs = ['systemd-nspawn', 'systemctl', 'nsenter', 'mount', 'umount', 'ip'] as const;

/** Why this machine cannot run nspawn hosts, each with what to do about it; empty when it can. */
export function probeNspawn(options: { readonly imageIsCached: boolean }): readonly string[] {
  if (process.platform !== 'linux') return ['systemd-nspawn needs Linux'];
  const reasons: string[] = [];
  if (process.getuid?.() !== 0) reasons.push('only root can start machines: run as root');
  const wanted = options.imageIsCached ? programs : [...programs, 'mmdebstrap'];
  const missing = wanted.filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    const remedy = 'apt-get install systemd-container mmdebstrap iproute2';
    reasons.push(`not installed: ${missing.join(', ')} (${remedy})`);
  }
  const systems = readFileSync('/proc/filesystems', 'utf8');
  if (!/\toverlay$/m.test(systems)) reasons.push('the kernel has no overlay: modprobe overlay');
  if (cgroupRoots().length === 0) reasons.push('no cgroup2 hierarchy is mounted');
  return reasons;
}

function isInstalled(program: string): boolean {
  return programPath.split(':').some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
