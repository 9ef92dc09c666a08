import { stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { UserError } from '@slipway/base';
import { kubernetesPaths, readHostKubeconfig } from '@slipway/bootstrap';
import { createRootFolderFiles } from '@slipway/host';
import { connectionOf, createKubeClient, type KubeClient, type Kubeconfig } from '@slipway/kube';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { type GroundFlags, rootOf } from './ground.ts';
import { findInput } from './input-file.ts';

/** Flags of a command that talks to a cluster as its administrator. */
export type ClusterFlags = GroundFlags & { readonly kubeconfig?: string };

/** A kubeconfig as it was found, everything embedded. */
export type FoundKubeconfig = {
  /** As this process sees it. */
  readonly path: string;
  readonly kubeconfig: Kubeconfig;
};

/**
 * The kubeconfig of a command, searched for as kubeadm does: `--kubeconfig`; else the first that exists
 * of the files in KUBECONFIG (or ~/.kube/config where it is not set) and /etc/kubernetes/admin.conf.
 * All but `--kubeconfig` are inside `--rootfs`.
 * @throws UserError `cli.bootstrap.kubeconfig` when there is none, `kube.bad-kubeconfig`
 */
export async function findKubeconfig(
  context: CommandContext,
  flags: ClusterFlags,
): Promise<FoundKubeconfig> {
  const path = await kubeconfigPath(context, flags);
  const root = rootOf(context, flags);
  const isInside = root !== '/' && path.startsWith(`${root}/`);
  // Files that a kubeconfig inside a root names are inside of it as well.
  const base = isInside ? root : '/';
  const files = createRootFolderFiles({ root: base, userId: context.environment.userId });
  const inside = isInside ? path.slice(root.length) : path;
  const kubeconfig = files && (await readHostKubeconfig(files, inside));
  if (kubeconfig === undefined) throw notFound([path]);
  return { path, kubeconfig };
}

/** A client with the current context of `findKubeconfig`; close it when done. */
export async function openCluster(
  context: CommandContext,
  flags: ClusterFlags,
): Promise<KubeClient> {
  const { kubeconfig } = await findKubeconfig(context, flags);
  return createKubeClient(connectionOf(kubeconfig), { userAgent: 'slipway' });
}

async function kubeconfigPath(context: CommandContext, flags: ClusterFlags): Promise<string> {
  if (flags.kubeconfig !== undefined && flags.kubeconfig !== '') {
    return await findInput(context, flags, '--kubeconfig', flags.kubeconfig);
  }
  const root = rootOf(context, flags);
  const candidates = standardPaths(context).map((path) => join(root, path));
  for (const path of candidates) {
    if ((await stat(path).catch(() => undefined)) !== undefined) return path;
  }
  throw notFound(candidates);
}

function standardPaths({ environment }: CommandContext): readonly string[] {
  const listed = (environment.variables['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  const own = join(environment.homeDirectory, '.kube', 'config');
  return [...(listed.length > 0 ? listed : [own]), kubernetesPaths.adminKubeconfig];
}

function notFound(paths: readonly string[]): UserError {
  const code: CliErrorCode = 'cli.bootstrap.kubeconfig';
  return new UserError(`find kubeconfig: there is none at ${paths.join(', ')}`, { code });
}
