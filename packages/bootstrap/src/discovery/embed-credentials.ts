import { Secret, UserError } from '@slipway/base';
import type { KubeconfigCluster, KubeconfigUser, PemSource, SecretSource } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';

/** Text of a file by its path; undefined when there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/**
 * The cluster with the content of the file that it names in its place, so that it means the same
 * wherever it is written to. Throws UserError when the file cannot be read.
 */
export async function embedAuthority(
  cluster: KubeconfigCluster,
  readText: ReadText,
): Promise<KubeconfigCluster> {
  const { certificateAuthority } = cluster;
  if (certificateAuthority === undefined) return cluster;
  return { ...cluster, certificateAuthority: await embedPem(certificateAuthority, readText) };
}

/** The user with the content of the files that it names in their place; see `embedAuthority`. */
export async function embedCredentials(
  user: KubeconfigUser,
  readText: ReadText,
): Promise<KubeconfigUser> {
  const { clientCertificate, clientKey, token, ...rest } = user;
  return {
    ...rest,
    ...(clientCertificate && { clientCertificate: await embedPem(clientCertificate, readText) }),
    ...(clientKey && { clientKey: await embedSecret(clientKey, readText) }),
    ...(token && { token: await embedSecret(token, readText) }),
  };
}

async function embedPem(source: PemSource, readText: ReadText): Promise<PemSource> {
  return 'pem' in source ? source : { pem: await demand(source.path, readText) };
}

async function embedSecret(source: SecretSource, readText: ReadText): Promise<SecretSource> {
  if ('secret' in source) return source;
  return { secret: new Secret((await demand(source.path, readText)).trim()) };
}

async function demand(path: string, readText: ReadText): Promise<string> {
  const text = await readText(path);
  if (text !== undefined) return text;
  const code: BootstrapErrorCode = 'bootstrap.discovery.file';
  throw new UserError(`read ${path}: a kubeconfig names this file, but there is none`, { code });
}
