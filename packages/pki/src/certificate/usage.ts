import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';
import type { X509Library } from '../x509-library.ts';

/** Usages in the words of certificates.k8s.io, the ones that slipway issues. */
export type CertificateUsage =
  | 'digital signature'
  | 'key encipherment'
  | 'client auth'
  | 'server auth';

const known: readonly string[] = [
  'digital signature',
  'key encipherment',
  'client auth',
  'server auth',
] satisfies readonly CertificateUsage[];

/** Checks words that came from outside; throws a UserError that names the first unknown one. */
export function parseUsages(usages: readonly string[]): readonly CertificateUsage[] {
  return usages.map((usage) => {
    if (isCertificateUsage(usage)) return usage;
    const code: PkiErrorCode = 'pki.usage.unknown';
    throw new UserError(`read usages: "${usage}" is not one of ${known.join(', ')}`, { code });
  });
}

function isCertificateUsage(usage: string): usage is CertificateUsage {
  return known.includes(usage);
}

/** The key usage (critical) and extended key usage extensions for `usages`. */
export function usageExtensions(library: X509Library, usages: readonly CertificateUsage[]) {
  const { KeyUsageFlags: flags } = library;
  const bits =
    (usages.includes('digital signature') ? flags.digitalSignature : 0) |
    (usages.includes('key encipherment') ? flags.keyEncipherment : 0);
  const extended = [
    ...(usages.includes('server auth') ? [library.ExtendedKeyUsage.serverAuth] : []),
    ...(usages.includes('client auth') ? [library.ExtendedKeyUsage.clientAuth] : []),
  ];
  return [
    ...(bits === 0 ? [] : [new library.KeyUsagesExtension(bits, true)]),
    ...(extended.length === 0 ? [] : [new library.ExtendedKeyUsageExtension(extended, false)]),
  ];
}
