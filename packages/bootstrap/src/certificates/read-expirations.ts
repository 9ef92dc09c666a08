import type { Clock } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { type AuthorityName, inspectCertificate } from '@slipway/pki';
import type { ClusterConfiguration } from '../config/configuration.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { isExternal, readCertificate } from './read-certificate.ts';
import { authorities, type RenewableName, renewables } from './renewable.ts';

export type ReadExpirationsOptions = {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'etcd'>;
  /** Where the kubeconfigs are; default /etc/kubernetes. */
  readonly kubeconfigDirectory?: HostPath;
};

/** When one certificate ends. */
export type Expiration<Name extends string = string> = {
  readonly name: Name;
  /** Who signed it; absent for an authority. */
  readonly authority?: AuthorityName;
  /** Absent: there is no such certificate. */
  readonly end?: {
    /** Ms since the epoch. */
    readonly expiresAt: number;
    /** Whole seconds from now; negative when it is over. */
    readonly residualSeconds: number;
    /** Its authority signs elsewhere, so it cannot be renewed here. */
    readonly isExternallyManaged: boolean;
  };
};

export type Expirations = {
  readonly certificates: readonly Expiration<RenewableName>[];
  readonly authorities: readonly Expiration<AuthorityName>[];
};

/**
 * When the certificates of this control plane end, in alphabetical order. No API server is asked.
 * @throws UserError `pki.certificate.unreadable`, TerminalError `bootstrap.kubeconfig.unusable`
 */
export async function readExpirations(options: ReadExpirationsOptions): Promise<Expirations> {
  const { files, clock, cluster, kubeconfigDirectory = kubernetesPaths.directory } = options;
  const now = clock.now();
  const roots = await Promise.all(
    authorities(cluster).map(async ({ name, path }) => ({
      name,
      isExternal: await isExternal(files, path),
      pem: await readCertificate(files, { kind: 'pair', path }),
    })),
  );
  const leaves = await Promise.all(
    renewables({ cluster, kubeconfigDirectory }).map(async (renewable) => ({
      ...renewable,
      pem: await readCertificate(files, renewable),
    })),
  );
  const externalNames = roots.flatMap(({ name, isExternal: external }) => (external ? name : []));
  return {
    certificates: leaves.map(({ name, authority, pem }) => ({
      name,
      authority,
      ...ending(pem, externalNames.includes(authority), now),
    })),
    authorities: roots.map(({ name, isExternal: external, pem }) => ({
      name,
      ...ending(pem, external, now),
    })),
  };
}

function ending(pem: string | undefined, isExternallyManaged: boolean, now: number) {
  if (pem === undefined) return {};
  const expiresAt = inspectCertificate(pem).notAfter;
  const residualSeconds = Math.trunc((expiresAt - now) / 1000);
  return { end: { expiresAt, residualSeconds, isExternallyManaged } };
}
