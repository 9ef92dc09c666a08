import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';

/** Signature algorithm in the words of WebCrypto, chosen by the key. */
export type SigningAlgorithm =
  | { readonly name: 'ECDSA'; readonly hash: 'SHA-256' | 'SHA-384' }
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: 'SHA-256' };

/** SHA-256 for RSA and P-256; SHA-384 for P-384, as Go's x509 package chooses. */
export function signingAlgorithm(key: KeyObject): SigningAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const hash = key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'SHA-384' : 'SHA-256';
  return { name: 'ECDSA', hash };
}

function importAlgorithm(key: KeyObject): webcrypto.RsaHashedImportParams | EcImport {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const curve = key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256';
  return { name: 'ECDSA', namedCurve: curve };
}

type EcImport = webcrypto.EcKeyImportParams;

/** The WebCrypto form of a public key. */
export function publicCryptoKey(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey(importAlgorithm(key), true, ['verify']);
}

/** The WebCrypto pair of a private key. */
export function toCryptoKeyPair(privateKey: KeyObject): {
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: webcrypto.CryptoKey;
} {
  return {
    privateKey: privateKey.toCryptoKey(importAlgorithm(privateKey), false, ['sign']),
    publicKey: publicCryptoKey(createPublicKey(privateKey)),
  };
}
