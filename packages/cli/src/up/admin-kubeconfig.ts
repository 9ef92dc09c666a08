import { UserError } from '@slipway/base';
import { renderKubeconfig, singleUserKubeconfig } from '@slipway/kube';
import { type CertificateAndKey, encodePrivateKey } from '@slipway/pki';
import type { CliErrorCode } from '../errors.ts';
import { readOptional, writePrivateFile } from './private-file.ts';

export type AdminAccess = {
  readonly server: string;
  readonly certificateAuthorityPem: string;
  readonly administrator: CertificateAndKey;
};

/** Text of the administrator's kubeconfig, all credentials embedded. */
export function adminKubeconfig(access: AdminAccess): string {
  const { server, certificateAuthorityPem, administrator } = access;
  return renderKubeconfig(
    singleUserKubeconfig(
      { name: 'slipway', server, certificateAuthority: { pem: certificateAuthorityPem } },
      {
        name: 'kubernetes-admin',
        clientCertificate: { pem: administrator.certificatePem },
        clientKey: { secret: encodePrivateKey(administrator.key) },
      },
    ),
  );
}

/** Refuses, with a UserError, a file that does not hold this cluster's authority: it is somebody else's. */
export async function checkAdminKubeconfig(path: string, authorityPem: string): Promise<void> {
  const existing = await readOptional(path);
  const authority = Buffer.from(authorityPem).toString('base64');
  if (existing === undefined || existing.includes(authority)) return;
  const code: CliErrorCode = 'cli.up.foreign-kubeconfig';
  throw new UserError(`write kubeconfig ${path}: the file there is of another cluster`, { code });
}

/**
 * Writes the kubeconfig (0600), unless it is there already as it should be.
 * @throws UserError `cli.up.foreign-kubeconfig`
 */
export async function writeAdminKubeconfig(path: string, access: AdminAccess): Promise<void> {
  await checkAdminKubeconfig(path, access.certificateAuthorityPem);
  const text = adminKubeconfig(access);
  if ((await readOptional(path)) !== text) await writePrivateFile(path, text);
}
