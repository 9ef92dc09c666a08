import { describeError, TerminalError } from '@slipway/base';
import { isAlreadyExists, isForbidden, type KubeClient } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';
import { applyObjects } from './apply-objects.ts';
import { clusterAdminsBinding, clusterAdminsName } from './cluster-admins.ts';
import { type ApiCallOptions, retryApiCall } from './retry-api-call.ts';

/** Clients by the kubeconfig they come with. */
export type AdministratorClients = {
  readonly admin: KubeClient;
  /** On the node that ran `init` alone. */
  readonly superAdmin?: KubeClient;
};

/** Tries as an administrator; false when admin.conf has no rights yet. */
async function bindAsAdmin(admin: KubeClient): Promise<boolean> {
  const { resource, object } = clusterAdminsBinding();
  try {
    await admin.create(resource, object);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return true;
    if (isForbidden(error)) return false;
    throw error;
  }
}

/**
 * Makes admin.conf an administrator: with its own rights where it has them, else with super-admin.conf.
 * Waits until the API server answers. Afterwards `admin` may be used.
 */
export async function ensureClusterAdmins(
  { admin, superAdmin }: AdministratorClients,
  options: ApiCallOptions,
): Promise<void> {
  if (await retryApiCall(() => bindAsAdmin(admin), options)) return;
  if (superAdmin === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.admin.not-bound';
    throw new TerminalError(
      `bind group ${clusterAdminsName}: admin.conf has no rights and there is no super-admin.conf to give them`,
      { code },
    );
  }
  await applyObjects(superAdmin, [clusterAdminsBinding()], options).catch((cause: unknown) => {
    const code: BootstrapErrorCode = 'bootstrap.admin.not-bound';
    throw new TerminalError(`bind group ${clusterAdminsName}: ${describeError(cause)}`, {
      code,
      cause,
    });
  });
}
