import { randomBytes } from 'node:crypto';
import type { HostPath } from '@slipway/host';
import { kubernetesPaths } from '../facts/paths.ts';
import type { Ground } from './ground.ts';
import { makeClosedFolder } from './temporary-folder.ts';

/** Commands that a dry run has a folder for, as kubeadm's variables name them. */
export type DryRunCommand = 'init' | 'join' | 'reset' | 'upgrade';

/**
 * Makes the folder of a dry run, closed to others, and returns its path as the host sees it:
 * `KUBEADM_INIT_DRYRUN_DIR` (`…_JOIN_…`, …) or a new one below `/etc/kubernetes/tmp`.
 */
export async function makeDryRunFolder(ground: Ground, command: DryRunCommand): Promise<HostPath> {
  const asked = ground.variables[`KUBEADM_${command.toUpperCase()}_DRYRUN_DIR`] ?? '';
  const fresh = `${kubernetesPaths.temporary}/slipway-${command}-dryrun-${randomBytes(5).toString('hex')}`;
  const folder = asked === '' ? fresh : asked;
  await makeClosedFolder(ground.files, folder);
  return folder;
}
