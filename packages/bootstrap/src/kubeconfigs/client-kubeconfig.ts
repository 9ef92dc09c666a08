import type { KeyObject } from 'node:crypto';
import { type Secret, TerminalError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { renderKubeconfig, singleUserKubeconfig } from '@slipway/kube';
import {
  type CertificateAuthority,
  encodePem,
  encodeTraditionalKey,
  issueCertificate,
  loadCertificateAndKey,
  requirePemBlock,
  type Subject,
  type Validity,
} from '@slipway/pki';
import { pairPath, readPair } from '../certificates/stored-pair.ts';
import type { BootstrapErrorCode } from '../errors.ts';

/** The cluster that a kubeconfig leads to. */
export type KubeconfigTarget = {
  readonly clusterName: string;
  readonly server: string;
  readonly authorityPem: string;
};

/** A text of a kubeconfig whose user has a client certificate, everything embedded. */
export async function clientKubeconfig(
  target: KubeconfigTarget,
  authority: CertificateAuthority,
  request: { readonly subject: Subject; readonly validity: Validity; readonly key: KeyObject },
): Promise<string> {
  const { certificatePem, key } = await issueCertificate(authority, {
    ...request,
    usages: ['client'],
  });
  return renderKubeconfig(
    singleUserKubeconfig(clusterOf(target), {
      name: request.subject.commonName,
      clientCertificate: { pem: certificatePem },
      clientKey: { secret: encodeTraditionalKey(key) },
    }),
  );
}

/** A text of a kubeconfig whose user has a token. */
export function tokenKubeconfig(target: KubeconfigTarget, user: string, token: Secret): string {
  return renderKubeconfig(
    singleUserKubeconfig(clusterOf(target), { name: user, token: { secret: token } }),
  );
}

function clusterOf({ clusterName, server, authorityPem }: KubeconfigTarget) {
  return { name: clusterName, server, certificateAuthority: { pem: authorityPem } };
}

/** The authority of the cluster as it is in the certificate folder. */
export type ClusterAuthority = {
  /** Its first certificate: what kubeconfigs carry. */
  readonly certificatePem: string;
  /** Absent: its key is kept elsewhere. */
  readonly signer?: CertificateAuthority;
};

/** @throws TerminalError `bootstrap.certificates.authority` when there is none */
export async function readClusterAuthority(
  files: HostFiles,
  directory: string,
): Promise<ClusterAuthority> {
  const path = pairPath(directory, 'ca');
  const { certificatePem, keyPem } = await readPair(files, path);
  if (certificatePem === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.certificates.authority';
    throw new TerminalError(`read authority: there is no ${path}.crt`, { code });
  }
  const { label, der } = requirePemBlock(certificatePem, 'CERTIFICATE');
  const first = encodePem(label, der);
  return {
    certificatePem: first,
    ...(keyPem === undefined ? {} : { signer: loadCertificateAndKey(first, keyPem) }),
  };
}
