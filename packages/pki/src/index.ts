/** `@slipway/pki`: certificates, signing requests, keys, bootstrap tokens and detached signatures. */
export {
  type CertificateAndKey,
  type CertificateAuthority,
  type CertificateAuthorityRequest,
  createCertificateAuthority,
  loadCertificateAndKey,
} from './certificate/certificate-authority.ts';
export {
  type CertificateSummary,
  canonicalAddress,
  chainsTo,
  inspectCertificate,
  isIssuedBy,
  publicKeyPin,
} from './certificate/inspect.ts';
export { type CertificateRequest, issueCertificate } from './certificate/issue-certificate.ts';
export type { AlternativeNames, Subject } from './certificate/subject.ts';
export { type CertificateUsage, parseUsages } from './certificate/usage.ts';
export { dayMs, type Validity } from './certificate/validity.ts';
export { type PkiErrorCode, pkiErrors } from './errors.ts';
export {
  encodePrivateKey,
  encodePublicKey,
  encodeTraditionalKey,
  generatePrivateKey,
  type KeyEncoding,
  type KeyType,
  parsePrivateKey,
} from './key/private-key.ts';
export { encodePem, type PemBlock, parsePem, requirePemBlock } from './pem.ts';
export { createCertificateSigningRequest } from './request/create-request.ts';
export { readCertificateSigningRequest, type SigningRequest } from './request/read-request.ts';
export { type SigningTerms, signCertificateSigningRequest } from './request/sign-request.ts';
export {
  type BootstrapToken,
  formatBootstrapToken,
  generateBootstrapToken,
  parseBootstrapToken,
} from './token/bootstrap-token.ts';
export { signatureKey, signDetached, verifyDetached } from './token/detached-signature.ts';
export {
  bootstrapTokenSecret,
  defaultTokenGroup,
  inspectBootstrapTokenSecret,
  readBootstrapTokenSecret,
  type TokenRecord,
  type TokenSecret,
  type TokenSecretContent,
  type TokenUsage,
  tokenSecretNamespace,
  tokenSecretType,
} from './token/token-secret.ts';
export {
  type CertificateSpec,
  type ControlPlaneIdentity,
  certificateSpecs,
} from './tree/certificate-specs.ts';
export {
  type AuthorityName,
  type CertificateName,
  certificateTree,
  type LeafName,
  type TreeEntry,
} from './tree/certificate-tree.ts';
