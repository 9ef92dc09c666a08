import { isIP } from 'node:net';
import { compareBytes } from '@slipway/base';
import { canonicalAddress } from '../certificate/inspect.ts';
import type { AlternativeNames, Subject } from '../certificate/subject.ts';
import {
  type AuthorityName,
  type CertificateName,
  certificateTree,
  type TreeEntry,
} from './certificate-tree.ts';

/** Who a control plane is, as far as its certificates say. */
export type ControlPlaneIdentity = {
  readonly nodeName: string;
  /** `cluster.local`. */
  readonly dnsDomain: string;
  /** Address of the Service `kubernetes`: the first of the (first) service subnet. */
  readonly serviceAddress: string;
  readonly advertiseAddress: string;
  /** Name or address that all nodes use, without a port; absent: none. */
  readonly controlPlaneHost?: string;
  /** Further names and addresses of the API server. */
  readonly certSANs: readonly string[];
  readonly etcdServerSANs: readonly string[];
  readonly etcdPeerSANs: readonly string[];
  /** The 37 of v1.37.2. */
  readonly minor: number;
  /** False: etcd is somebody else's, and so are its certificates. */
  readonly hasLocalEtcd: boolean;
};

/** What one certificate of one control plane has to say. */
export type CertificateSpec = Required<AlternativeNames> & {
  readonly name: CertificateName;
  /** File below the certificate directory, without `.crt` and `.key`. */
  readonly baseName: string;
  /** Who signs it; absent: it is an authority and signs itself. */
  readonly authority?: AuthorityName;
  readonly subject: Subject;
  readonly usages: readonly ('client' | 'server')[];
  readonly purpose: string;
};

/**
 * The certificates of a control plane in the order in which they are made, each authority before those
 * that it signs. Alternative names are in kubeadm's order: DNS names sorted, addresses as they come, each
 * once.
 */
export function certificateSpecs(identity: ControlPlaneIdentity): readonly CertificateSpec[] {
  return certificateTree
    .filter((entry) => identity.hasLocalEtcd || !isOfEtcd(entry))
    .map((entry) => certificateSpec(entry, identity));
}

function isOfEtcd({ name, authority }: TreeEntry): boolean {
  return name === 'etcd-ca' || authority === 'etcd-ca';
}

function certificateSpec(entry: TreeEntry, identity: ControlPlaneIdentity): CertificateSpec {
  const { name, baseName, authority, commonName, organizations, usages, purpose } = entry;
  const subject: Subject = {
    commonName: commonName === 'node' ? identity.nodeName : commonName.fixed,
    ...(organizations !== undefined && identity.minor < organizations.beforeMinor
      ? { organizations: organizations.names }
      : {}),
  };
  return {
    name,
    baseName,
    ...(authority === undefined ? {} : { authority }),
    subject,
    usages,
    purpose,
    ...sortedNames(alternativeNames(entry, identity, subject)),
  };
}

function alternativeNames(
  { names }: TreeEntry,
  identity: ControlPlaneIdentity,
  subject: Subject,
): readonly string[] {
  const { nodeName, advertiseAddress } = identity;
  const etcd = [nodeName, 'localhost', advertiseAddress, '127.0.0.1', '::1'];
  if (names === undefined) return [];
  if (names === 'own-name') return [subject.commonName];
  if (names === 'etcd-server') return [...etcd, ...identity.etcdServerSANs];
  if (names === 'etcd-peer') return [...etcd, ...identity.etcdPeerSANs];
  return apiServerNames(identity);
}

function apiServerNames(identity: ControlPlaneIdentity): readonly string[] {
  const { nodeName, dnsDomain, serviceAddress, advertiseAddress, controlPlaneHost } = identity;
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return [
    nodeName,
    ...service,
    ...(dnsDomain === '' ? [] : [`kubernetes.default.svc.${dnsDomain}`]),
    serviceAddress,
    advertiseAddress,
    ...(controlPlaneHost === undefined ? [] : [controlPlaneHost]),
    ...identity.certSANs,
  ];
}

function sortedNames(names: readonly string[]): Required<AlternativeNames> {
  const isAddress = (name: string) => isIP(name) !== 0;
  const dnsNames = names.filter((name) => !isAddress(name));
  const ipAddresses = names.filter(isAddress).map(canonicalAddress);
  return {
    dnsNames: [...new Set(dnsNames)].sort(compareBytes),
    ipAddresses: [...new Set(ipAddresses)],
  };
}
