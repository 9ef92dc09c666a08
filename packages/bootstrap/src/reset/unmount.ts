import { TerminalError } from '@slipway/base';
import type { HostPath } from '@slipway/host';
import type { BootstrapErrorCode } from '../errors.ts';
import type { ResetData } from './data.ts';

/** Options of umount(8) for the flags of umount(2) that ResetConfiguration names. */
const umountOptions: Readonly<Record<string, readonly string[]>> = {
  MNT_FORCE: ['--force'],
  MNT_DETACH: ['--lazy'],
  // umount(8) of a path that is spelt out follows nothing, and has no word for expiry.
  UMOUNT_NOFOLLOW: ['--no-canonicalize'],
};

/** Mount points below a directory, the deepest and youngest first. */
export function mountsBelow(
  mountPoints: readonly HostPath[],
  directory: HostPath,
): readonly HostPath[] {
  return mountPoints.filter((point) => point.startsWith(`${directory}/`)).reverse();
}

/**
 * Unmounts everything below a directory whose content is to be deleted: what is mounted there is
 * somebody's volume, not the node's. Mounts that stay refuse the deletion.
 * @throws TerminalError `bootstrap.reset.mounts`
 */
export async function unmountBelow(data: ResetData, directory: HostPath): Promise<void> {
  const { ground, reset, reporter } = data;
  const mounted = mountsBelow(await data.mountPoints(), directory);
  if (mounted.length === 0) return;
  if (data.isDryRun) {
    reporter.phase('dryrun', `would unmount ${mounted.join(', ')}`);
    return;
  }
  if (ground.run === undefined) throw stillMounted(mounted, 'no program may be run here');
  reporter.phase('reset', `unmounting ${mounted.length} file systems below ${directory}`);
  const options = reset.unmountFlags.flatMap((flag) => umountOptions[flag] ?? []);
  const reasons: string[] = [];
  for (const point of mounted) {
    const { exitCode, stderr } = await ground.run(['umount', ...options, '--', point]);
    if (exitCode !== 0) reasons.push(stderr.trim());
  }
  const left = mountsBelow(await data.mountPoints(), directory);
  if (left.length > 0) throw stillMounted(left, reasons.join('; '));
}

function stillMounted(points: readonly HostPath[], reason: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.reset.mounts';
  return new TerminalError(`unmount ${points.join(', ')}: ${reason}; nothing was deleted there`, {
    code,
  });
}
