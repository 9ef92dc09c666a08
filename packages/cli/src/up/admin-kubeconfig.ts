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

/**
 * Writes the kubeconfig (0600). A file that does not hold this cluster's authority is somebody else's
 * and is left alone: UserError.
 */
export async function writeAdminKubeconfig(path: string, access: AdminAccess): Promise<void> {
  const existing = await readOptional(path);
  const authority = Buffer.from(access.certificateAuthorityPem).toString('base64');
  const ours = existing?.includes(authority) ?? true;
  if (!ours) {
    const code: CliErrorCode = 'cli.up.foreign-kubeconfig';
    throw new UserError(`write kubeconfig ${path}: the file there is of another cluster`, { code });
  }
  const text = adminKubeconfig(access);
  if (existing !== text) await writePrivateFile(path, text);
}
