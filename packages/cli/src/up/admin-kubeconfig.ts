import { UserError } from '@slipway/base';
import { type CertificateAndKey, encodePrivateKey } from '@slipway/pki';
import type { CliErrorCode } from '../errors.ts';
import { readOptional, writePrivateFile } from './private-file.ts';

export type AdminAccess = {
  readonly server: string;
  readonly certificateAuthorityPem: string;
  readonly administrator: CertificateAndKey;
};

const clusterName = 'slipway';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Text of the administrator's kubeconfig, all credentials embedded. */
export function adminKubeconfig(access: AdminAccess): string {
  const user = 'kubernetes-admin';
  const key = encodePrivateKey(access.administrator.key).reveal();
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${base64(access.certificateAuthorityPem)}`,
    `    server: ${access.server}`,
    `  name: ${clusterName}`,
    'contexts:',
    '- context:',
    `    cluster: ${clusterName}`,
    `    user: ${user}`,
    `  name: ${user}@${clusterName}`,
    `current-context: ${user}@${clusterName}`,
    'users:',
    `- name: ${user}`,
    '  user:',
    `    client-certificate-data: ${base64(access.administrator.certificatePem)}`,
    `    client-key-data: ${base64(key)}`,
    '',
  ].join('\n');
}

/**
 * Writes the kubeconfig (0600). A file that does not hold this cluster's authority is somebody else's
 * and is left alone: UserError.
 */
export async function writeAdminKubeconfig(path: string, access: AdminAccess): Promise<void> {
  const existing = await readOptional(path);
  const ours = existing?.includes(base64(access.certificateAuthorityPem)) ?? true;
  if (!ours) {
    const code: CliErrorCode = 'cli.up.foreign-kubeconfig';
    throw new UserError(`write kubeconfig ${path}: the file there is of another cluster`, { code });
  }
  const text = adminKubeconfig(access);
  if (existing !== text) await writePrivateFile(path, text);
}
