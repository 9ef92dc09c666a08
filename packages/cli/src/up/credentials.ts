import type { CertificateAndKey, CertificateAuthority } from '@slipway/pki';
import { type LeafRequest, openAuthority, openCertificate } from './key-folder.ts';

/** All that the control plane needs to know of keys. */
export type Credentials = {
  readonly authority: CertificateAuthority;
  readonly server: CertificateAndKey;
  readonly administrator: CertificateAndKey;
  readonly operator: CertificateAndKey;
};

const serviceNames = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

const masters = ['system:masters'];

function serverLeaf(addresses: readonly string[]): LeafRequest {
  return {
    subject: { commonName: 'kube-apiserver' },
    dnsNames: serviceNames,
    ipAddresses: ['127.0.0.1', '::1', ...addresses],
    usages: ['server'],
  };
}

/** As whom the operator comes: a user without any group, held to the rights it was given by name. */
export const operatorUser = 'slipway-operator';

function clientLeaf(commonName: string, organizations: readonly string[]): LeafRequest {
  return { subject: { commonName, organizations }, usages: ['client'] };
}

/** The certificates of a cluster in `directory`: those that are good stay, the others are made. */
export async function openCredentials(
  directory: string,
  addresses: readonly string[],
  now: number,
): Promise<Credentials> {
  const authority = await openAuthority(directory, now);
  const open = (name: string, leaf: LeafRequest): Promise<CertificateAndKey> =>
    openCertificate(directory, name, { authority, leaf, now });
  return {
    authority,
    server: await open('apiserver', serverLeaf(addresses)),
    administrator: await open('admin', clientLeaf('kubernetes-admin', masters)),
    operator: await open('operator', clientLeaf(operatorUser, [])),
  };
}
