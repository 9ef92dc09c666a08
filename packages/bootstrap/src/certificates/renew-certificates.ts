import { type Clock, describeError, TerminalError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import {
  type CertificateAndKey,
  type CertificateAuthority,
  encodePem,
  encodeTraditionalKey,
  inspectCertificate,
  issueCertificate,
  loadCertificateAndKey,
  requirePemBlock,
} from '@slipway/pki';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { readKubeconfigDocument } from '../kubeconfigs/kubeconfig-document.ts';
import { keyTypeOf, leafValidity } from './pki-settings.ts';
import { isExternal, readCertificate } from './read-certificate.ts';
import { authorities, findRenewable, type Renewable, renewables } from './renewable.ts';
import { privateFile, readPair, replacePair } from './stored-pair.ts';

export type RenewCertificatesOptions = {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly cluster: ClusterConfiguration;
  /** Where the kubeconfigs are; default /etc/kubernetes. */
  readonly kubeconfigDirectory?: HostPath;
  /** Default: all. */
  readonly only?: readonly string[];
};

/** What became of one certificate. */
export type Renewal = Pick<Renewable, 'name' | 'purpose'> & {
  /**
   * `missing`: there is none to renew. `external`: its authority signs elsewhere. `failed`: it is as it
   * was before, for `reason`.
   */
  readonly outcome: 'renewed' | 'missing' | 'external' | 'failed';
  readonly reason?: string;
};

/**
 * Renews certificates, each with a new key, whether or not they are about to expire. Subject, names and
 * usages come from the certificate that is there, not from the configuration. One that fails does not
 * keep the others from being renewed.
 * @throws UserError `bootstrap.certificates.unknown` before anything is changed
 */
export async function renewCertificates(
  options: RenewCertificatesOptions,
): Promise<readonly Renewal[]> {
  const { cluster, kubeconfigDirectory = kubernetesPaths.directory, only } = options;
  const places = { cluster, kubeconfigDirectory };
  const chosen = only?.map((name) => findRenewable(places, name)) ?? renewables(places);
  const folders = [cluster.certificatesDir, `${cluster.certificatesDir}/etcd`, kubeconfigDirectory];
  for (const folder of folders) await options.files.removeStaleTemporaries(folder);
  return await Promise.all(chosen.map((renewable) => renewOne(options, renewable)));
}

async function renewOne(options: RenewCertificatesOptions, renewable: Renewable): Promise<Renewal> {
  const { name, purpose } = renewable;
  try {
    return { name, purpose, outcome: await attempt(options, renewable) };
  } catch (error) {
    return { name, purpose, outcome: 'failed', reason: describeError(error) };
  }
}

async function attempt(
  options: RenewCertificatesOptions,
  renewable: Renewable,
): Promise<'renewed' | 'missing' | 'external'> {
  const { files, cluster } = options;
  const current = await readCertificate(files, renewable);
  if (current === undefined) return 'missing';
  const path = authorities(cluster).find(({ name }) => name === renewable.authority)?.path ?? '';
  if (await isExternal(files, path)) return 'external';
  const authority = await loadAuthority(files, path);
  const pair = await reissue(options, authority, current);
  if (renewable.kind === 'pair') await replacePair(files, renewable.path, pair);
  else await replaceCredentials(files, renewable.path, authority, pair);
  return 'renewed';
}

async function loadAuthority(files: HostFiles, path: string): Promise<CertificateAuthority> {
  const { certificatePem, keyPem } = await readPair(files, path);
  if (certificatePem !== undefined && keyPem !== undefined) {
    return loadCertificateAndKey(certificatePem, keyPem);
  }
  const code: BootstrapErrorCode = 'bootstrap.certificates.authority';
  throw new TerminalError(`load authority: there is no ${path}.crt`, { code });
}

async function reissue(
  { cluster, clock }: RenewCertificatesOptions,
  authority: CertificateAuthority,
  current: string,
): Promise<CertificateAndKey> {
  const { commonName, organizations, dnsNames, ipAddresses, extendedUsages } =
    inspectCertificate(current);
  return await issueCertificate(authority, {
    subject: { commonName, organizations },
    dnsNames,
    ipAddresses,
    usages: (['server', 'client'] as const).filter((use) => extendedUsages.includes(`${use} auth`)),
    validity: leafValidity(cluster, clock.now()),
    keyType: keyTypeOf(cluster),
  });
}

/** One file: the old credentials or the new ones, never a mixture. The authority is the one that signed them. */
async function replaceCredentials(
  files: HostFiles,
  path: HostPath,
  authority: CertificateAuthority,
  pair: CertificateAndKey,
): Promise<void> {
  const text = (await readHostText(files, path)) ?? '';
  const { label, der } = requirePemBlock(authority.certificatePem, 'CERTIFICATE');
  const renewed = readKubeconfigDocument(text, path).withCredentials({
    authorityPem: encodePem(label, der),
    certificatePem: pair.certificatePem,
    keyPem: encodeTraditionalKey(pair.key),
  });
  await files.write(path, Buffer.from(renewed), privateFile);
}
