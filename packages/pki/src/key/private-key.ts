import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Secret, UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';

/** Key types that slipway makes. EC keys take under a millisecond, RSA ones about 50. */
export type KeyType = 'ecdsa-p256' | 'rsa-2048';

/** How a private key is written: `pkcs8` for all, `sec1` for EC (the kubelet's), `pkcs1` for RSA (kubeadm's). */
export type KeyEncoding = 'pkcs8' | 'sec1' | 'pkcs1';

const generate = promisify(generateKeyPair);

/** A fresh private key. `KeyObject` never prints its content. */
export async function generatePrivateKey(type: KeyType = 'ecdsa-p256'): Promise<KeyObject> {
  const pair =
    type === 'ecdsa-p256'
      ? await generate('ec', { namedCurve: 'P-256' })
      : await generate('rsa', { modulusLength: 2048 });
  return pair.privateKey;
}

/** PEM of a private key; default encoding PKCS#8. */
export function encodePrivateKey(key: KeyObject, encoding: KeyEncoding = 'pkcs8'): Secret {
  return new Secret(key.export({ format: 'pem', type: encoding }).toString());
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
