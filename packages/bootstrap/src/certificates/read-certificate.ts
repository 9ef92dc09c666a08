import type { HostFiles } from '@slipway/host';
import { readHostText } from '../host-text/read-host-text.ts';
import { readKubeconfigDocument } from '../kubeconfigs/kubeconfig-document.ts';
import type { Renewable } from './renewable.ts';

/**
 * PEM of a certificate, from its file or out of a kubeconfig; undefined when there is no file.
 * @throws TerminalError `bootstrap.kubeconfig.unusable`
 */
export async function readCertificate(
  files: HostFiles,
  { kind, path }: Pick<Renewable, 'kind' | 'path'>,
): Promise<string | undefined> {
  if (kind === 'pair') return await readHostText(files, `${path}.crt`);
  const text = await readHostText(files, path);
  return text === undefined ? undefined : readKubeconfigDocument(text, path).certificatePem;
}

/** True for an authority whose certificate is here and whose key is not. */
export async function isExternal(files: HostFiles, path: string): Promise<boolean> {
  const hasCertificate = (await files.stat(`${path}.crt`)) !== undefined;
  return hasCertificate && (await files.stat(`${path}.key`)) === undefined;
}
