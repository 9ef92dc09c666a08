import { Secret, UserError } from '@slipway/base';
import { generateBootstrapToken } from '@slipway/pki';
import { encryptedCertificates } from '../certificates/upload-encryption.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { uploadCertificates } from '../object/upload-certificates.ts';
import { uploadedCertificatesKey } from '../object/uploaded-certificates.ts';
import type { InitData } from './data.ts';

/** Publishes the authorities, encrypted, for two hours: `--upload-certs`. */
export async function publishCertificates(data: InitData): Promise<void> {
  const { settings, access, reporter, options, ground } = data;
  await refuseForeignAuthorities(data);
  const key = data.certificateKey();
  const content = await encryptedCertificates({
    files: ground.files,
    cluster: settings.cluster,
    key: new Secret(key),
  });
  const { namespace, name } = uploadedCertificatesKey;
  reporter.phase('upload-certs', `writing Secret ${namespace}/${name}`);
  const ownerToken = generateBootstrapToken();
  await uploadCertificates(await access.client(), { content, ownerToken }, access.calls);
  if (options.skipCertificateKeyPrint) return;
  reporter.phase('upload-certs', 'certificate key:');
  reporter.line(key);
}

/** Without its key an authority makes no further control plane: whoever keeps it has to bring it there. */
async function refuseForeignAuthorities({ ground, settings }: InitData): Promise<void> {
  for (const name of ['ca', 'front-proxy-ca']) {
    const path = `${settings.cluster.certificatesDir}/${name}`;
    if ((await ground.files.stat(`${path}.crt`)) === undefined) continue;
    if ((await ground.files.stat(`${path}.key`)) !== undefined) continue;
    const code: BootstrapErrorCode = 'bootstrap.uploaded-certificates.external';
    throw new UserError(`upload certificates: the key of ${path}.crt is kept elsewhere`, { code });
  }
}
