import { Secret } from '@slipway/base';
import { generateBootstrapToken } from '@slipway/pki';
import { encryptedCertificates } from '../certificates/upload-encryption.ts';
import { uploadCertificates } from '../object/upload-certificates.ts';
import { uploadedCertificatesKey } from '../object/uploaded-certificates.ts';
import type { InitData } from './data.ts';

/** Publishes the authorities, encrypted, for two hours: `--upload-certs`. */
export async function publishCertificates(data: InitData): Promise<void> {
  const { settings, access, reporter, options, ground } = data;
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
