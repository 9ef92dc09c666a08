import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';

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
