import type { KubeClient } from '@slipway/kube';
import type { BootstrapToken } from '@slipway/pki';
import { type AppliedObject, applyObjects } from './apply-objects.ts';
import type { ApiCallOptions } from './retry-api-call.ts';
import { ownerTokenObject, uploadedCertificatesObjects } from './uploaded-certificates.ts';

export type CertificatesUpload = {
  /** Base64 of the encrypted files by their names; see `encryptCertificates`. */
  readonly content: Readonly<Record<string, string>>;
  /** A fresh token that the Secret shall live as long as. */
  readonly ownerToken: BootstrapToken;
};

/** Publishes encrypted authorities for two hours, for control planes that join. */
export async function uploadCertificates(
  client: KubeClient,
  { content, ownerToken }: CertificatesUpload,
  options: ApiCallOptions,
): Promise<readonly AppliedObject[]> {
  const token = ownerTokenObject(ownerToken, options.clock.now());
  const [owner] = await applyObjects(client, [token], options);
  const { name = '', uid = '' } = owner?.live.metadata ?? {};
  const objects = uploadedCertificatesObjects(content, { name, uid });
  return [
    ...(owner === undefined ? [] : [owner]),
    ...(await applyObjects(client, objects, options)),
  ];
}
