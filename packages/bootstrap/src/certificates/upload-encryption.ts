import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Secret, TerminalError, UserError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { uploadedFiles } from '../cluster-settings/uploaded-files.ts';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { readHostText } from '../host-text/read-host-text.ts';

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** A fresh key to encrypt certificates with: 64 hex digits. */
export function certificateKey(): string {
  return randomBytes(keyBytes).toString('hex');
}

/**
 * What goes into Secret kubeadm-certs: base64 of nonce, ciphertext and tag by name (AES-256-GCM, a nonce
 * of 12 bytes, no additional data), as kubeadm writes and reads it.
 * @throws UserError `bootstrap.certificate-key.malformed`
 */
export function encryptCertificates(
  content: Readonly<Record<string, Uint8Array>>,
  key: Secret,
): Readonly<Record<string, string>> {
  const secretKey = decodeKey(key);
  const seal = (plain: Uint8Array): string => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(cipherName, secretKey, nonce, { authTagLength: tagBytes });
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
  };
  return Object.fromEntries(Object.entries(content).map(([name, plain]) => [name, seal(plain)]));
}

/**
 * The reverse of `encryptCertificates`: all of them or an error, never a part.
 * @throws UserError `bootstrap.certificate-key.malformed`
 * @throws TerminalError `bootstrap.uploaded-certificates.undecipherable` for another key or changed bytes
 */
export function decryptCertificates(
  content: Readonly<Record<string, string>>,
  key: Secret,
): Readonly<Record<string, Uint8Array>> {
  const secretKey = decodeKey(key);
  return Object.fromEntries(
    Object.entries(content).map(([name, text]) => [name, open(name, text, secretKey)]),
  );
}

function open(name: string, text: string, secretKey: Buffer): Uint8Array {
  const sealed = Buffer.from(text, 'base64');
  const code: BootstrapErrorCode = 'bootstrap.uploaded-certificates.undecipherable';
  if (sealed.length < nonceBytes + tagBytes) {
    throw new TerminalError(`decrypt ${name}: ${sealed.length} bytes are too few`, { code });
  }
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv(cipherName, secretKey, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const hidden = sealed.subarray(nonceBytes, -tagBytes);
  try {
    return Buffer.concat([decipher.update(hidden), decipher.final()]);
  } catch (cause) {
    const why = 'it was encrypted with another certificate key, or changed since';
    throw new TerminalError(`decrypt ${name}: ${why}`, { code, cause });
  }
}

function decodeKey(key: Secret): Buffer {
  const text = key.reveal();
  if (new RegExp(`^[0-9a-fA-F]{${keyBytes * 2}}$`).test(text)) return Buffer.from(text, 'hex');
  const code: BootstrapErrorCode = 'bootstrap.certificate-key.malformed';
  const length = `${keyBytes * 2} hex digits, it has ${text.length} characters`;
  throw new UserError(`use certificate key: it must be ${length}`, { code });
}

export type CertificatesToUpload = {
  readonly files: HostFiles;
  readonly cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'etcd'>;
  /** 64 hex digits; see `certificateKey`. */
  readonly key: Secret;
};

/** The files that further control planes need, encrypted; a file that there is none of gives an empty value. */
export async function encryptedCertificates({
  files,
  cluster,
  key,
}: CertificatesToUpload): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, Uint8Array> = {};
  const absent: Record<string, string> = {};
  for (const { name, path } of uploadedFiles(cluster)) {
    const text = await readHostText(files, path);
    if (text === undefined) absent[name] = '';
    else content[name] = Buffer.from(text);
  }
  return { ...encryptCertificates(content, key), ...absent };
}
