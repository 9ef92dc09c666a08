import { type Clock, type Secret, TerminalError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { generatePrivateKey } from '@slipway/pki';
import { keyTypeOf, type PkiSettings } from '../certificates/pki-settings.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { clusterApiAddress } from '../workflow/api-address.ts';
import { clientKubeconfig, readClusterAuthority, tokenKubeconfig } from './client-kubeconfig.ts';

export type UserKubeconfigOptions = {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly settings: PkiSettings;
  /** Name of the user; the certificate's CN. */
  readonly clientName: string;
  /** Groups of the user; the certificate's O. */
  readonly organizations: readonly string[];
  /** Takes the place of a certificate. */
  readonly token?: Secret;
  readonly validityMs: number;
};

/**
 * Text of a kubeconfig for one more user of the cluster. It holds a secret in the clear.
 * @throws TerminalError `bootstrap.certificates.authority` when the authority cannot sign
 */
export async function userKubeconfig(options: UserKubeconfigOptions): Promise<string> {
  const { files, clock, settings, clientName, organizations, token, validityMs } = options;
  const { cluster, init } = settings;
  const { certificatePem, signer } = await readClusterAuthority(files, cluster.certificatesDir);
  const target = {
    clusterName: cluster.clusterName,
    server: clusterApiAddress(cluster, init.localAPIEndpoint),
    authorityPem: certificatePem,
  };
  if (token !== undefined) return tokenKubeconfig(target, clientName, token);
  if (signer === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.certificates.authority';
    const path = `${cluster.certificatesDir}/ca.key`;
    throw new TerminalError(`make kubeconfig of ${clientName}: there is no ${path} to sign with`, {
      code,
    });
  }
  return await clientKubeconfig(target, signer, {
    subject: { commonName: clientName, organizations },
    validity: { now: clock.now(), validityMs },
    key: await generatePrivateKey(keyTypeOf(cluster)),
  });
}
