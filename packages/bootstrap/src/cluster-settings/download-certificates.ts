import { posix } from 'node:path';
import { type SecretObject, secrets } from '@slipway/api';
import { type Secret, TerminalError } from '@slipway/base';
import type { HostFiles, StagedFile } from '@slipway/host';
import { isNotFound, type KubeClient } from '@slipway/kube';
import { parsePem } from '@slipway/pki';
import { decryptCertificates } from '../certificates/upload-encryption.ts';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { uploadedCertificatesKey } from '../object/uploaded-certificates.ts';
import { type UploadedFile, uploadedFiles } from './uploaded-files.ts';

export type CertificatesDownload = {
  readonly client: KubeClient;
  readonly files: HostFiles;
  /** What they were encrypted with: 64 hex digits. */
  readonly key: Secret;
  readonly cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'etcd'>;
  readonly signal?: AbortSignal;
};

type ReadyFile = { readonly path: string; readonly content: Uint8Array; readonly mode: number };

/**
 * Writes the authorities and service-account keys that another control plane uploaded; returns the paths
 * that it wrote. All of them or none: everything is decrypted and checked before the first is written. A
 * file that is there with the same content stays; with another content it is refused, because it may be
 * the only copy of another cluster's key. Keys get mode 0600, certificates and public keys 0644.
 */
export async function downloadCertificates(
  download: CertificatesDownload,
): Promise<readonly string[]> {
  const { files } = download;
  const wanted = uploadedFiles(download.cluster);
  const secret = await fetchSecret(download);
  const content = decrypt(download, secret, wanted);
  const ready = wanted.flatMap((file) => readyFile(file, content[file.name]));
  const missing: ReadyFile[] = [];
  for (const file of ready) if (!(await isThere(files, file))) missing.push(file);
  await writeAll(files, missing);
  return missing.map(({ path }) => path);
}

async function fetchSecret({ client, signal }: CertificatesDownload): Promise<SecretObject> {
  try {
    const options = signal === undefined ? {} : { signal };
    return await client.get(secrets, uploadedCertificatesKey, options);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const code: BootstrapErrorCode = 'bootstrap.uploaded-certificates.missing';
    throw new TerminalError(
      'download certificates: there is no Secret kubeadm-certs; it is deleted after two hours',
      { code, cause },
    );
  }
}

function decrypt(
  { key }: CertificatesDownload,
  secret: SecretObject,
  wanted: readonly UploadedFile[],
): Readonly<Record<string, Uint8Array>> {
  const stored = secret.data ?? {};
  const absent = wanted.filter(({ name }) => stored[name] === undefined);
  if (absent.length > 0) {
    throw incomplete(`Secret kubeadm-certs lacks ${absent.map(({ name }) => name).join(', ')}`);
  }
  // Empty: the control plane that uploaded them had no such file.
  const present = wanted.filter(({ name }) => stored[name] !== '');
  return decryptCertificates(
    Object.fromEntries(present.map(({ name }) => [name, stored[name] ?? ''])),
    key,
  );
}

function readyFile(
  { name, path }: UploadedFile,
  content: Uint8Array | undefined,
): readonly ReadyFile[] {
  if (content === undefined) return [];
  const label = firstLabel(content);
  const isKey = label?.endsWith('PRIVATE KEY') === true;
  const isOpen = label === 'CERTIFICATE' || label?.endsWith('PUBLIC KEY') === true;
  if (name.endsWith('.key') ? !isKey : !isOpen) {
    throw incomplete(`${name} holds ${label ?? 'no PEM'}`);
  }
  return [{ path, content, mode: isKey ? 0o600 : 0o644 }];
}

function firstLabel(content: Uint8Array): string | undefined {
  try {
    return parsePem(Buffer.from(content).toString('utf8'))[0]?.label;
  } catch {
    // What is no PEM has no label.
    return undefined;
  }
}

async function isThere(files: HostFiles, { path, content }: ReadyFile): Promise<boolean> {
  if ((await files.stat(path)) === undefined) return false;
  if (Buffer.from(await files.read(path)).equals(content)) return true;
  throw incomplete(`${path} exists with another content; move it away if it is of no use any more`);
}

async function writeAll(files: HostFiles, wanted: readonly ReadyFile[]): Promise<void> {
  const owner = { uid: 0, gid: 0 };
  const staged: StagedFile[] = [];
  try {
    for (const { path, content, mode } of wanted) {
      await files.makeDirectory(posix.dirname(path), { mode: 0o755, ...owner });
      staged.push(await files.stage(path, content, { mode, ...owner }));
    }
  } catch (error) {
    for (const one of staged) await files.discard(one);
    throw error;
  }
  for (const one of staged) await files.commit(one);
}

function incomplete(why: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.uploaded-certificates.incomplete';
  return new TerminalError(`download certificates: ${why}`, { code });
}
