import { isIPv4, isIPv6 } from 'node:net';
import { UserError } from '@slipway/base';
import { type Der, derContext, derSequence } from '../der.ts';
import type { PkiErrorCode } from '../errors.ts';
import type { AlternativeNames } from './subject.ts';

/** The value of a subject alternative name extension; undefined when there are no names. */
export function derGeneralNames({
  dnsNames = [],
  ipAddresses = [],
}: AlternativeNames): Der | undefined {
  const names = [
    ...dnsNames.map((name) => derContext(2, Buffer.from(name, 'latin1'), false)),
    ...ipAddresses.map((address) => derContext(7, addressBytes(address), false)),
  ];
  return names.length === 0 ? undefined : derSequence(...names);
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
