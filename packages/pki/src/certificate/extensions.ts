import { type Der, derBits, derContext, derOctets, derSequence, derTrue, oid } from '../der.ts';
import { derGeneralNames } from './general-names.ts';
import type { AlternativeNames } from './subject.ts';
import type { CertificateUsage } from './usage.ts';

/** First bits of the key usage extension (RFC 5280, 4.2.1.3). */
const keyUsageBits: Partial<Record<CertificateUsage | 'cert sign', number>> = {
  'digital signature': 0x80,
  'key encipherment': 0x20,
  'cert sign': 0x04,
};

function extension(name: Der, value: Der, isCritical: boolean): Der {
  return derSequence(name, ...(isCritical ? [derTrue] : []), derOctets(value));
}

/** Key usage, and extended key usage where there is any. */
export function usageExtensions(
  usages: readonly (CertificateUsage | 'cert sign')[],
): readonly Der[] {
  const byte = usages.reduce((bits, usage) => bits | (keyUsageBits[usage] ?? 0), 0);
  const extended = [
    ...(usages.includes('server auth') ? [oid.serverAuth] : []),
    ...(usages.includes('client auth') ? [oid.clientAuth] : []),
  ];
  // Bits after the last that is set are left out of a named bit list.
  const unused = byte === 0 ? 0 : 31 - Math.clz32(byte & -byte);
  return [
    ...(byte === 0 ? [] : [extension(oid.keyUsage, derBits(Buffer.from([byte]), unused), true)]),
    ...(extended.length === 0
      ? []
      : [extension(oid.extendedKeyUsage, derSequence(...extended), false)]),
  ];
}

export function basicConstraints(isAuthority: boolean): Der {
  return extension(oid.basicConstraints, derSequence(...(isAuthority ? [derTrue] : [])), true);
}

export function subjectKeyIdentifier(identifier: Uint8Array): Der {
  return extension(oid.subjectKeyIdentifier, derOctets(identifier), false);
}

export function authorityKeyIdentifier(identifier: Uint8Array): Der {
  return extension(
    oid.authorityKeyIdentifier,
    derSequence(derContext(0, identifier, false)),
    false,
  );
}

/** Empty when there are no names. */
export function alternativeNameExtensions(names: AlternativeNames): readonly Der[] {
  const value = derGeneralNames(names);
  return value === undefined ? [] : [extension(oid.subjectAlternativeName, value, false)];
}
