import type { HostFiles, HostPath } from '@slipway/host';
import { uploadedFiles } from '../cluster-settings/uploaded-files.ts';
import type { ClusterConfiguration } from '../config/configuration.ts';

/** Files that control planes share and this one lacks. */
export async function missingCertificates(
  files: HostFiles,
  cluster: ClusterConfiguration,
): Promise<readonly HostPath[]> {
  const missing: HostPath[] = [];
  for (const { path } of uploadedFiles(cluster)) {
    const isEmpty = path === '' || path.endsWith('/ca.key') || path.endsWith('-ca.key');
    // Keys of authorities may be kept elsewhere.
    if (!isEmpty && (await files.stat(path)) === undefined) missing.push(path);
  }
  return missing;
}
