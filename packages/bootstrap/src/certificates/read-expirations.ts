import { type Clock, describeError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { type AuthorityName, inspectCertificate } from '@slipway/pki';
import type { ClusterConfiguration } from '../config/configuration.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { isExternal, readCertificate } from './read-certificate.ts';
import { authorities, type Renewable, type RenewableName, renewables } from './renewable.ts';

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
  /** Why what is there cannot be read, with its path. */
  readonly problem?: string;
  /** Absent: there is no such certificate, or none that can be read. */
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
 * When the certificates of this control plane end, in alphabetical order. No API server is asked. One
 * that cannot be read does not hide when the others end.
 */
export async function readExpirations(options: ReadExpirationsOptions): Promise<Expirations> {
  const { files, clock, cluster, kubeconfigDirectory = kubernetesPaths.directory } = options;
  const now = clock.now();
  const roots = await Promise.all(
    authorities(cluster).map(async ({ name, path }) => ({
      name,
      isExternal: await isExternal(files, path),
      found: await find(files, { kind: 'pair', path }),
    })),
  );
  const leaves = await Promise.all(
    renewables({ cluster, kubeconfigDirectory }).map(async (renewable) => ({
      ...renewable,
      found: await find(files, renewable),
    })),
  );
  const externalNames = roots.flatMap(({ name, isExternal: external }) => (external ? name : []));
  return {
    certificates: leaves.map(({ name, authority, found }) => ({
      name,
      authority,
      ...ending(found, externalNames.includes(authority), now),
    })),
    authorities: roots.map(({ name, isExternal: external, found }) => ({
      name,
      ...ending(found, external, now),
    })),
  };
}

type Found = { readonly problem: string } | { readonly expiresAt: number } | undefined;

async function find(files: HostFiles, renewable: Pick<Renewable, 'kind' | 'path'>): Promise<Found> {
  try {
    const pem = await readCertificate(files, renewable);
    return pem === undefined ? undefined : { expiresAt: inspectCertificate(pem).notAfter };
  } catch (error) {
    const path = renewable.kind === 'pair' ? `${renewable.path}.crt` : renewable.path;
    return { problem: `${path}: ${describeError(error)}` };
  }
}

function ending(found: Found, isExternallyManaged: boolean, now: number) {
  if (found === undefined || 'problem' in found) return found ?? {};
  const { expiresAt } = found;
  const residualSeconds = Math.trunc((expiresAt - now) / 1000);
  return { end: { expiresAt, residualSeconds, isExternallyManaged } };
}
