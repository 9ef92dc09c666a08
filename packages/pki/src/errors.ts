/** Every error code that this room raises, with what it means. */
export const pkiErrors = {
  'pki.pem.malformed': 'a text that should be PEM is not, or holds another kind of block',
  'pki.key.unreadable': 'a private key cannot be decoded, or is of an unsupported type',
  'pki.key.mismatch': 'a private key does not belong to the certificate beside it',
  'pki.certificate.unreadable': 'a certificate cannot be decoded',
  'pki.usage.unknown': 'a certificate usage is not one that slipway can issue',
  'pki.request.unreadable': 'a certificate signing request cannot be decoded',
  'pki.request.signature': 'a certificate signing request is not signed by its own key',
  'pki.request.address': 'an alternative name that should be an IP address is not',
  'pki.request.subject': 'a certificate signing request does not have exactly one common name',
  'pki.authority.expired': 'a certificate authority is not valid at the time of signing',
  'pki.token.malformed': 'a bootstrap token is not of the form [a-z0-9]{6}.[a-z0-9]{16}',
} as const;

export type PkiErrorCode = keyof typeof pkiErrors;
