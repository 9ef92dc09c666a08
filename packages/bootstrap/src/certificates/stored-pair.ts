import { posix } from 'node:path';
import { Secret } from '@slipway/base';
import type { HostFiles, HostPath, StagedFile } from '@slipway/host';
import { type CertificateAndKey, encodeTraditionalKey } from '@slipway/pki';
import { readHostText } from '../host-text/read-host-text.ts';

const owner = { uid: 0, gid: 0 } as const;

/** Attributes of what may be read by all, as kubeadm writes it. */
export const publicFile = { mode: 0o644, ...owner } as const;

/** Attributes of what only root may read. */
export const privateFile = { mode: 0o600, ...owner } as const;

/** Attributes of the folders that certificates are in. */
export const certificateFolder = { mode: 0o755, ...owner } as const;

/** A certificate and its key as far as they are there. */
export type StoredPair = { readonly certificatePem?: string; readonly keyPem?: Secret };

/** Path of a certificate without `.crt` and `.key`. */
export function pairPath(directory: HostPath, baseName: string): HostPath {
  return posix.join(directory, baseName);
}

/** Reads the files of a certificate; symbolic links are followed. */
export async function readPair(files: HostFiles, path: HostPath): Promise<StoredPair> {
  const certificatePem = await readHostText(files, `${path}.crt`);
  const key = await readHostText(files, `${path}.key`);
  return {
    ...(certificatePem === undefined ? {} : { certificatePem }),
    ...(key === undefined ? {} : { keyPem: new Secret(key) }),
  };
}

/**
 * Writes a pair where there was none, or only this key. Both files are complete on the disk before either
 * is seen, and the key is seen first: after a crash there is never a certificate without its key, and a
 * key alone is what `ensureCertificates` goes on from.
 */
export async function writePair(
  files: HostFiles,
  path: HostPath,
  pair: CertificateAndKey,
): Promise<void> {
  await files.makeDirectory(posix.dirname(path), certificateFolder);
  const { keyPem } = await readPair(files, path);
  if (keyPem?.reveal() === encodeTraditionalKey(pair.key).reveal()) {
    // An interrupted run left the key: what is right is not touched.
    return await files.write(`${path}.crt`, Buffer.from(pair.certificatePem), publicFile);
  }
  const [key, certificate] = await stagePair(files, path, pair);
  try {
    await files.commit(key);
    await files.commit(certificate);
  } finally {
    await discardQuietly(files, [key, certificate]);
  }
}

/**
 * Puts a new pair in the place of an old one. Where the certificate cannot be written after the key was,
 * the old key is put back; only a crash between two renames leaves a pair that does not match, which
 * renewing once more mends.
 */
export async function replacePair(
  files: HostFiles,
  path: HostPath,
  pair: CertificateAndKey,
): Promise<void> {
  const old = await readPair(files, path);
  const [key, certificate] = await stagePair(files, path, pair);
  try {
    await files.commit(key);
    try {
      await files.commit(certificate);
    } catch (error) {
      if (old.keyPem === undefined) await files.remove(`${path}.key`);
      else await files.write(`${path}.key`, Buffer.from(old.keyPem.reveal()), privateFile);
      throw error;
    }
  } finally {
    await discardQuietly(files, [key, certificate]);
  }
}

/** Both at once: what takes time is to wait for the disk, twice. */
async function stagePair(
  files: HostFiles,
  path: HostPath,
  { certificatePem, key }: CertificateAndKey,
): Promise<readonly [StagedFile, StagedFile]> {
  const keyBytes = Buffer.from(encodeTraditionalKey(key).reveal());
  const [stagedKey, stagedCertificate] = await Promise.allSettled([
    files.stage(`${path}.key`, keyBytes, privateFile),
    files.stage(`${path}.crt`, Buffer.from(certificatePem), publicFile),
  ]);
  if (stagedKey.status === 'fulfilled' && stagedCertificate.status === 'fulfilled') {
    return [stagedKey.value, stagedCertificate.value];
  }
  const staged = [stagedKey, stagedCertificate];
  await discardQuietly(
    files,
    staged.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  );
  throw staged.find((one) => one.status === 'rejected')?.reason;
}

/** Removes what was staged and not used; what fails here must not hide the first error. */
async function discardQuietly(files: HostFiles, staged: readonly StagedFile[]): Promise<void> {
  await Promise.allSettled(staged.map((one) => files.discard(one)));
}
