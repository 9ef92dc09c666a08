import { X509Certificate } from 'node:crypto';
import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';

/** The first certificate of a PEM text; throws a UserError when there is none. */
export function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    const code: PkiErrorCode = 'pki.certificate.unreadable';
    throw new UserError('read certificate: not a PEM certificate', { code, cause });
  }
}
