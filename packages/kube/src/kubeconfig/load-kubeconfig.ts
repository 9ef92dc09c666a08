import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeError, UserError } from '@slipway/base';
import type { ConnectionConfig, ConnectionProvider } from '../client/connection-config.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';

/** Reads a kubeconfig file; paths in it are relative to its folder. Throws UserError. */
export async function loadKubeconfig(path: string): Promise<Kubeconfig> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UserError(`read kubeconfig ${path}: ${describeError(error)}`, {
      code: 'kube.bad-kubeconfig',
      cause: error,
    });
  }
  return parseKubeconfig(text, { source: `kubeconfig ${path}`, folder: dirname(path) });
}

/** The connection that a context stands for; default: the current one. Throws UserError. */
export function connectionOf(kubeconfig: Kubeconfig, contextName?: string): ConnectionConfig {
  const wanted = contextName ?? kubeconfig.currentContext;
  if (wanted === undefined) throw unusable('it has no current-context');
  const context = named(kubeconfig.contexts, wanted, 'context');
  const {
    name: clusterName,
    unsupported,
    ...cluster
  } = named(kubeconfig.clusters, context.cluster, 'cluster');
  if (cluster.server === '') throw unusable(`cluster ${clusterName} has no server`);
  if (unsupported !== undefined) {
    throw unusable(`cluster ${clusterName} needs ${unsupported}, which slipway does not support`);
  }
  if (context.user === '') return cluster;
  const {
    name: userName,
    unsupported: method,
    ...user
  } = named(kubeconfig.users, context.user, 'user');
  if (method !== undefined) {
    throw unusable(`user ${userName} needs ${method}, which slipway does not support`);
  }
  return { ...cluster, ...user };
}

/** A connection that follows a kubeconfig file: rewritten, it is used without a restart. */
export function kubeconfigConnection(path: string, contextName?: string): ConnectionProvider {
  return async () => connectionOf(await loadKubeconfig(path), contextName);
}

function named<T extends { readonly name: string }>(
  entries: readonly T[],
  name: string,
  what: string,
): T {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry === undefined) throw unusable(`it has no ${what} named ${JSON.stringify(name)}`);
  return entry;
}

function unusable(message: string): UserError {
  return new UserError(`use kubeconfig: ${message}`, { code: 'kube.bad-kubeconfig' });
}
