import { posix } from 'node:path';
import { UserError } from '@slipway/base';
import type { HostPath } from '@slipway/host';
import { type AuthorityName, certificateTree, type LeafName } from '@slipway/pki';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { pairPath } from './stored-pair.ts';

/** A kubeconfig whose client certificate is renewed here; the kubelet renews its own. */
export type RenewableKubeconfig =
  | 'admin.conf'
  | 'super-admin.conf'
  | 'controller-manager.conf'
  | 'scheduler.conf';

/** Names that `certs renew` and `check-expiration` know, kubeadm's. */
export type RenewableName = LeafName | RenewableKubeconfig;

/** A certificate that can be renewed, and where it is. */
export type Renewable = {
  readonly name: RenewableName;
  readonly authority: AuthorityName;
  readonly purpose: string;
} & (
  | {
      readonly kind: 'pair';
      /** Path without `.crt` and `.key`. */
      readonly path: HostPath;
    }
  | { readonly kind: 'kubeconfig'; readonly path: HostPath }
);

const kubeconfigs: readonly { readonly name: RenewableKubeconfig; readonly purpose: string }[] = [
  { name: 'admin.conf', purpose: 'what administrators come to the API server with' },
  {
    name: 'super-admin.conf',
    purpose: 'what administrators come with when authorization is broken',
  },
  {
    name: 'controller-manager.conf',
    purpose: 'what the controller manager comes to the API server with',
  },
  { name: 'scheduler.conf', purpose: 'what the scheduler comes to the API server with' },
];

/** Where the certificates of a cluster are. */
export type CertificatePlaces = {
  readonly cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'etcd'>;
  readonly kubeconfigDirectory: HostPath;
};

/** What can be renewed, by name in alphabetical order. An external etcd takes its certificates away. */
export function renewables(places: CertificatePlaces): readonly Renewable[] {
  const { cluster, kubeconfigDirectory } = places;
  const pairs = ownTree(cluster).flatMap(({ name, baseName, authority, purpose }) =>
    authority === undefined || isAuthority(name)
      ? []
      : {
          name,
          authority,
          purpose,
          kind: 'pair' as const,
          path: pairPath(cluster.certificatesDir, baseName),
        },
  );
  const embedded = kubeconfigs.map(({ name, purpose }) => ({
    name,
    authority: 'ca' as const,
    purpose,
    kind: 'kubeconfig' as const,
    path: posix.join(kubeconfigDirectory, name),
  }));
  return [...pairs, ...embedded].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The authorities of a cluster with the paths of their files, by name in alphabetical order. */
export function authorities(
  cluster: CertificatePlaces['cluster'],
): readonly { readonly name: AuthorityName; readonly path: HostPath }[] {
  return ownTree(cluster)
    .flatMap(({ name, baseName }) =>
      isAuthority(name) ? { name, path: pairPath(cluster.certificatesDir, baseName) } : [],
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @throws UserError `bootstrap.certificates.unknown` */
export function findRenewable(places: CertificatePlaces, name: string): Renewable {
  const known = renewables(places);
  const found = known.find((renewable) => renewable.name === name);
  if (found !== undefined) return found;
  const code: BootstrapErrorCode = 'bootstrap.certificates.unknown';
  const names = known.map((renewable) => renewable.name).join(', ');
  throw new UserError(`renew ${name}: it is not one of ${names}`, { code });
}

function ownTree({ etcd }: CertificatePlaces['cluster']) {
  const isOfEtcd = (name: string | undefined) => name === 'etcd-ca';
  return certificateTree.filter(
    ({ name, authority }) => 'local' in etcd || !(isOfEtcd(name) || isOfEtcd(authority)),
  );
}

function isAuthority(name: string): name is AuthorityName {
  return name === 'ca' || name === 'front-proxy-ca' || name === 'etcd-ca';
}
