import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Secret, UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';

/** Key types that slipway makes. EC keys take under a millisecond; RSA-2048 about 50, RSA-4096 about 500. */
export type KeyType = 'ecdsa-p256' | 'ecdsa-p384' | 'rsa-2048' | 'rsa-3072' | 'rsa-4096';

/** How a private key is written: `pkcs8` for all, `sec1` for EC (the kubelet's), `pkcs1` for RSA (kubeadm's). */
export type KeyEncoding = 'pkcs8' | 'sec1' | 'pkcs1';

const generate = promisify(generateKeyPair);

/** A fresh private key. `KeyObject` never prints its content. */
export async function generatePrivateKey(type: KeyType = 'ecdsa-p256'): Promise<KeyObject> {
  const [family, size] = type.split('-');
  const pair =
    family === 'ecdsa'
      ? await generate('ec', { namedCurve: size === 'p384' ? 'P-384' : 'P-256' })
      : await generate('rsa', { modulusLength: Number(size) });
  return pair.privateKey;
}

/** PEM of a private key; default encoding PKCS#8. */
export function encodePrivateKey(key: KeyObject, encoding: KeyEncoding = 'pkcs8'): Secret {
  return new Secret(key.export({ format: 'pem', type: encoding }).toString());
}

/** PEM of a private key in the form of its kind, as kubeadm writes it: `RSA PRIVATE KEY` or `EC PRIVATE KEY`. */
export function encodeTraditionalKey(key: KeyObject): Secret {
  return encodePrivateKey(key, key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1');
}

/** Reads PKCS#8, SEC1 or PKCS#1 PEM; throws a UserError for anything but EC and RSA keys. */
export function parsePrivateKey(pem: string | Secret): KeyObject {
  const text = typeof pem === 'string' ? pem : pem.reveal();
  const code: PkiErrorCode = 'pki.key.unreadable';
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    // The library's message may quote the input; nothing of a key goes into an error.
    throw new UserError('read private key: not a PKCS#8, SEC1 or PKCS#1 PEM', { code });
  }
  if (key.asymmetricKeyType !== 'ec' && key.asymmetricKeyType !== 'rsa') {
    throw new UserError(`read private key: unsupported type ${key.asymmetricKeyType}`, { code });
  }
  return key;
}

/** DER SubjectPublicKeyInfo of a private or public key. */
export function publicKeyDer(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' });
}

/** PEM of the public key that belongs to `key`. */
export function encodePublicKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'pem', type: 'spki' }).toString();
}
