import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type Der, derBits, derContext, derInteger, derSequence, derTime } from '../der.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { signatureOf } from '../key/signature.ts';
import { encodePem } from '../pem.ts';

const signInBackground = promisify(sign);

/** X.509 version 3. */
const version = derContext(0, derInteger(Buffer.from([2])), true);

/** The parts of a certificate (RFC 5280, 4.1), names and extensions encoded. */
export type CertificateParts = {
  readonly issuer: Der;
  readonly subject: Der;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Der[];
};

/**
 * PEM of a certificate that `signer` signs, with a random serial number of 63 bits as kubeadm's. Written here and
 * not by the X.509 library: that costs 100 ms to load, a quarter of the time that a whole tree takes.
 */
export async function buildCertificate(
  parts: CertificateParts,
  signer: KeyObject,
): Promise<string> {
  const { issuer, subject, notBefore, notAfter, publicKey, extensions } = parts;
  const { algorithm, hash } = signatureOf(signer);
  const content = derSequence(
    version,
    derInteger(serialNumber()),
    algorithm,
    issuer,
    derSequence(derTime(notBefore), derTime(notAfter)),
    subject,
    publicKeyDer(publicKey),
    derContext(3, derSequence(...extensions), true),
  );
  const signature = await signInBackground(hash, content, signer);
  return encodePem('CERTIFICATE', derSequence(content, algorithm, derBits(signature)));
}

function serialNumber(): Buffer {
  const bytes = randomBytes(8);
  bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
  // Zero is none.
  bytes.writeUInt8(bytes.readUInt8(7) | 1, 7);
  return bytes;
}
