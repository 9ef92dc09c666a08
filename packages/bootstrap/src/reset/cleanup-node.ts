import { describeError, UserError } from '@slipway/base';
import { type HostPath, pathComponents } from '@slipway/host';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { endRun } from '../workflow/unfinished-run.ts';
import type { ResetData } from './data.ts';
import { emptyDirectory } from './empty-directory.ts';
import { removeContainers } from './remove-containers.ts';
import { isSystemDirectory } from './system-directory.ts';
import { unmountBelow } from './unmount.ts';

/** Kubeconfigs that init or join wrote. */
const kubeconfigs: readonly HostPath[] = [
  kubernetesPaths.adminKubeconfig,
  kubernetesPaths.superAdminKubeconfig,
  kubernetesPaths.kubeletKubeconfig,
  kubernetesPaths.bootstrapKubeletKubeconfig,
  kubernetesPaths.controllerManagerKubeconfig,
  kubernetesPaths.schedulerKubeconfig,
];

/**
 * Stops the kubelet and its containers and deletes what init or join wrote. Directories stay. Nothing below
 * the kubelet's directory is deleted while something is mounted there.
 */
export async function cleanupNode(data: ResetData): Promise<void> {
  const { ground, reporter, reset, isDryRun } = data;
  checkDirectory(reset.certificatesDir);
  await stopKubelet(data);
  await unmountBelow(data, kubernetesPaths.kubelet);
  await removeContainers(data);
  if (reset.certificatesDir !== kubernetesPaths.certificates) {
    reporter.problem(`the certificates directory is not the usual one: ${reset.certificatesDir}`);
  }
  const directories = [
    kubernetesPaths.manifests,
    kubernetesPaths.kubelet,
    reset.certificatesDir,
    ...(reset.cleanupTmpDir ? [kubernetesPaths.temporary] : []),
  ];
  const [phase, verb] = isDryRun ? ['dryrun', 'would delete'] : ['reset', 'deleting'];
  reporter.phase(phase, `${verb} the contents of directories: ${directories.join(', ')}`);
  for (const directory of directories) await emptyDirectory(ground.files, directory);
  reporter.phase(phase, `${verb} files: ${kubeconfigs.join(', ')}`);
  for (const path of kubeconfigs) await ground.files.remove(path);
  for (const command of ['init', 'join'] as const) await endRun(ground.files, command);
  await removeComponentUsers(data);
}

/** A slip of the hand must not empty the machine. */
function checkDirectory(directory: HostPath): void {
  if (!isSystemDirectory(directory) && pathComponents(directory).length >= 2) return;
  const code: BootstrapErrorCode = 'bootstrap.reset.directory';
  throw new UserError(
    `empty certificates directory ${directory}: it is not a directory for certificates alone`,
    { code },
  );
}

async function stopKubelet({ ground, reporter, isDryRun }: ResetData): Promise<void> {
  if (isDryRun) {
    reporter.phase('dryrun', 'would stop the kubelet');
    return;
  }
  if (ground.systemd === undefined) {
    reporter.phase('reset', 'no services are touched here: see to it that the kubelet is stopped');
    return;
  }
  reporter.phase('reset', 'stopping the kubelet');
  try {
    const { loadState } = await ground.systemd.status('kubelet.service');
    if (loadState === 'loaded') await ground.systemd.stop('kubelet.service');
  } catch (error) {
    reporter.problem(`the kubelet could not be stopped, stop it by hand: ${describeError(error)}`);
  }
}

/** Users that kubeadm made for components that do not run as root (feature gate RootlessControlPlane). */
async function removeComponentUsers(data: ResetData): Promise<void> {
  const { ground, reporter, cluster, isDryRun } = data;
  if (cluster?.featureGates['RootlessControlPlane'] !== true) return;
  const users = ['kubeadm-etcd', 'kubeadm-kas', 'kubeadm-kcm', 'kubeadm-ks'];
  const group = 'kubeadm-sa-key-readers';
  if (isDryRun || ground.run === undefined) {
    reporter.phase(isDryRun ? 'dryrun' : 'reset', `users to remove: ${users.join(', ')}`);
    return;
  }
  for (const name of users) await ground.run(['userdel', name]);
  await ground.run(['groupdel', group]);
}
