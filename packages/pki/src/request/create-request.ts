import { type KeyObject, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { UserError } from '@slipway/base';
import type { AlternativeNames, Subject } from '../certificate/subject.ts';
import {
  type Der,
  derBits,
  derContext,
  derNull,
  derOctets,
  derSequence,
  derSet,
  derUtf8,
  derZero,
  oid,
} from '../der.ts';
import type { PkiErrorCode } from '../errors.ts';
import { signingAlgorithm } from '../key/crypto-key.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { encodePem } from '../pem.ts';

/**
 * PEM of a PKCS#10 request (RFC 2986) for `subject`, signed by `key`. Written here and not by the X.509
 * library: every joining host makes one, and the library costs ten times the memory of the rest.
 */
export async function createCertificateSigningRequest(
  key: KeyObject,
  subject: Subject,
  names: AlternativeNames = {},
): Promise<string> {
  const content = derSequence(
    derZero,
    derName(subject),
    publicKeyDer(key),
    derContext(0, requestedExtensions(names), true),
  );
  const { algorithm, hash } = signature(key);
  const request = derSequence(content, algorithm, derBits(sign(hash, content, key)));
  return encodePem('CERTIFICATE REQUEST', request);
}

function derName({ commonName, organizations = [] }: Subject): Der {
  const attributes = [
    ...organizations.map((name) => derSequence(oid.organization, derUtf8(name))),
    derSequence(oid.commonName, derUtf8(commonName)),
  ];
  return derSequence(...attributes.map((attribute) => derSet(attribute)));
}

function signature(key: KeyObject): { readonly algorithm: Der; readonly hash: string } {
  const chosen = signingAlgorithm(key);
  if (chosen.name !== 'ECDSA') {
    return { algorithm: derSequence(oid.rsaWithSha256, derNull), hash: 'sha256' };
  }
  return chosen.hash === 'SHA-384'
    ? { algorithm: derSequence(oid.ecdsaWithSha384), hash: 'sha384' }
    : { algorithm: derSequence(oid.ecdsaWithSha256), hash: 'sha256' };
}

function requestedExtensions({ dnsNames = [], ipAddresses = [] }: AlternativeNames): Uint8Array {
  const names = [
    ...dnsNames.map((name) => derContext(2, Buffer.from(name, 'latin1'), false)),
    ...ipAddresses.map((address) => derContext(7, addressBytes(address), false)),
  ];
  if (names.length === 0) return new Uint8Array();
  const extension = derSequence(oid.subjectAlternativeName, derOctets(derSequence(...names)));
  return derSequence(oid.extensionRequest, derSet(derSequence(extension)));
}

function addressBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (isIPv6(address)) return ipv6Bytes(address);
  const code: PkiErrorCode = 'pki.request.address';
  throw new UserError(`create signing request: "${address}" is not an IP address`, { code });
}

function ipv6Bytes(address: string): Uint8Array {
  // The WHATWG parser turns an embedded IPv4 tail into hexadecimal groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  const hex = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('');
  return Buffer.from(hex, 'hex');
}
