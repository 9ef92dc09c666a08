import { posix } from 'node:path';
import { TransientError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import {
  type ConnectionConfig,
  connectionOf,
  type Kubeconfig,
  parseKubeconfig,
} from '@slipway/kube';
import { loadCertificateAndKey } from '@slipway/pki';
import { embedAuthority, embedCredentials, type ReadText } from '../discovery/embed-credentials.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';

/** A kubeconfig of the host with the files that it names embedded; undefined when it does not exist. */
export async function readHostKubeconfig(
  files: HostFiles,
  path: string,
): Promise<Kubeconfig | undefined> {
  const text = await readHostText(files, path);
  if (text === undefined) return undefined;
  const kubeconfig = parseKubeconfig(text, {
    source: `kubeconfig ${path}`,
    folder: posix.dirname(path),
  });
  const readText: ReadText = (name) => readHostText(files, name);
  return {
    ...kubeconfig,
    clusters: await Promise.all(kubeconfig.clusters.map((one) => embedAuthority(one, readText))),
    users: await Promise.all(kubeconfig.users.map((one) => embedCredentials(one, readText))),
  };
}

/**
 * Waits until the kubelet has its own credentials: kubelet.conf with a client certificate and its key.
 * Default 5 minutes, as kubeadm's timeout `tlsBootstrap`. Throws a TransientError when time is up.
 */
export async function waitForKubeletCredentials(
  request: Waiting & { readonly files: HostFiles },
): Promise<ConnectionConfig> {
  const { files, timeoutMs = 300_000 } = request;
  const path = kubernetesPaths.kubeletKubeconfig;
  let observed = `${path} does not exist yet`;
  return await waitFor<ConnectionConfig>(
    {
      ...request,
      timeoutMs,
      awaited: () => observed,
      expired: () =>
        new TransientError(`wait for the kubelet's credentials: ${observed}`, {
          code: 'bootstrap.kubelet-conf.timeout' satisfies BootstrapErrorCode,
        }),
    },
    async () => {
      try {
        const kubeconfig = await readHostKubeconfig(files, path);
        const connection = kubeconfig && connectionOf(kubeconfig);
        return connection !== undefined && hasCertificate(connection) ? connection : undefined;
      } catch (error) {
        // The kubelet writes one file after the other: half of them is "not yet".
        observed = error instanceof Error ? error.message : String(error);
        return undefined;
      }
    },
  );
}

function hasCertificate({ clientCertificate, clientKey }: ConnectionConfig): boolean {
  if (clientCertificate === undefined || clientKey === undefined) return false;
  if (!('pem' in clientCertificate) || !('secret' in clientKey)) return false;
  loadCertificateAndKey(clientCertificate.pem, clientKey.secret.reveal());
  return true;
}
