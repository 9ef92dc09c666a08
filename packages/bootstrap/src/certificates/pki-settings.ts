import {
  type CertificateSpec,
  type ControlPlaneIdentity,
  certificateSpecs,
  type KeyType,
  type Validity,
} from '@slipway/pki';
import type {
  ClusterConfiguration,
  EncryptionAlgorithm,
  InitConfiguration,
  NodeRegistration,
} from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import { hasEcdsaKeys } from '../facts/feature-gates.ts';
import { serviceAddress } from '../network/cidr.ts';
import { parseHostPort } from '../network/host-port.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';

/** The part of `InitSettings` that certificates and kubeconfigs are made from. */
export type PkiSettings = {
  readonly init: Pick<InitConfiguration, 'localAPIEndpoint'> & {
    readonly nodeRegistration: Pick<NodeRegistration, 'name'>;
  };
  readonly cluster: ClusterConfiguration;
};

const keyTypes: Readonly<Record<EncryptionAlgorithm, KeyType>> = {
  'RSA-2048': 'rsa-2048',
  'RSA-3072': 'rsa-3072',
  'RSA-4096': 'rsa-4096',
  'ECDSA-P256': 'ecdsa-p256',
  'ECDSA-P384': 'ecdsa-p384',
};

/** Kind of the keys that the cluster wants. */
export function keyTypeOf(cluster: ClusterConfiguration): KeyType {
  return hasEcdsaKeys(cluster) ? 'ecdsa-p256' : keyTypes[cluster.encryptionAlgorithm];
}

/** When a certificate that is issued at `now` is valid. */
export function leafValidity(cluster: ClusterConfiguration, now: number): Validity {
  return { now, validityMs: durationMs(cluster.certificateValidityPeriod) };
}

/** When an authority that is made at `now` is valid. */
export function authorityValidity(cluster: ClusterConfiguration, now: number): Validity {
  return { now, validityMs: durationMs(cluster.caCertificateValidityPeriod) };
}

/** What every certificate of the control plane has to say. */
export function wantedCertificates(settings: PkiSettings): readonly CertificateSpec[] {
  return certificateSpecs(identityOf(settings));
}

/** Who the control plane is by its settings. */
export function identityOf({ init, cluster }: PkiSettings): ControlPlaneIdentity {
  const { networking, controlPlaneEndpoint, etcd } = cluster;
  const { advertiseAddress } = init.localAPIEndpoint;
  const endpointHost = parseHostPort(controlPlaneEndpoint)?.host;
  const local = 'local' in etcd ? etcd.local : undefined;
  return {
    nodeName: init.nodeRegistration.name,
    dnsDomain: networking.dnsDomain,
    serviceAddress: serviceAddress(networking.serviceSubnet, 1),
    advertiseAddress,
    ...(endpointHost === undefined ? {} : { controlPlaneHost: endpointHost }),
    certSANs: cluster.apiServer.certSANs,
    etcdServerSANs: local?.serverCertSANs ?? [],
    etcdPeerSANs: local?.peerCertSANs ?? [],
    minor: kubernetesMinor(cluster.kubernetesVersion),
    hasLocalEtcd: local !== undefined,
  };
}

/** Where in the configuration a name or address of a certificate comes from. */
export function nameOrigin(settings: PkiSettings, spec: CertificateSpec, name: string): string {
  const identity = identityOf(settings);
  const isEtcd = spec.authority === 'etcd-ca';
  if (name === identity.nodeName) return 'nodeRegistration.name';
  if (name === identity.advertiseAddress) return 'localAPIEndpoint.advertiseAddress';
  if (isEtcd)
    return spec.name === 'etcd-server' ? 'etcd.local.serverCertSANs' : 'etcd.local.peerCertSANs';
  if (name === identity.serviceAddress) return 'networking.serviceSubnet';
  if (name === identity.controlPlaneHost) return 'controlPlaneEndpoint';
  if (name.startsWith('kubernetes')) return 'networking.dnsDomain';
  return 'apiServer.certSANs';
}
