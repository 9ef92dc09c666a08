import type { HostFiles, HostPath } from '@slipway/host';
import { kubernetesPaths } from '../facts/paths.ts';

const owner = { uid: 0, gid: 0 };

/**
 * Makes a folder that is closed to others, at or below `/etc/kubernetes/tmp`, or elsewhere. The directory
 * of Kubernetes itself stays open, as with kubeadm: others read its CA certificate.
 */
export async function makeClosedFolder(
  files: HostFiles,
  folder: HostPath = kubernetesPaths.temporary,
): Promise<void> {
  if (folder.startsWith(kubernetesPaths.temporary))
    await files.makeDirectory(kubernetesPaths.directory, { mode: 0o755, ...owner });
  await files.makeDirectory(folder, { mode: 0o700, ...owner });
}
