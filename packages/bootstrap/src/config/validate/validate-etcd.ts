import type { ExternalEtcd, LocalEtcd } from '../configuration.ts';
import type { Finding } from '../finding.ts';
import type { Given, GivenCluster } from '../given.ts';
import {
  checkAbsolutePath,
  checkAlternativeNames,
  checkArguments,
  checkImageRepository,
  checkUrls,
  none,
  refuse,
} from './rules.ts';

/** etcd is local, with the default when nothing is said, or external; never both. */
export function validateEtcd(given: GivenCluster['etcd']): readonly Finding[] {
  if (given?.local !== undefined && given.external !== undefined) {
    const message = 'etcd is both local and external';
    return refuse('bootstrap.config.exclusive', ['etcd'], message, 'remove one of the two');
  }
  if (given?.external !== undefined) return validateExternal(given.external);
  return given?.local === undefined ? none : validateLocal(given.local);
}

function validateLocal(local: Given<LocalEtcd>): readonly Finding[] {
  const path = ['etcd', 'local'];
  const { dataDir, imageRepository, serverCertSANs = [], peerCertSANs = [] } = local;
  return [
    ...(dataDir === undefined || dataDir === ''
      ? none
      : checkAbsolutePath(dataDir, [...path, 'dataDir'])),
    ...checkAlternativeNames(serverCertSANs, [...path, 'serverCertSANs']),
    ...checkAlternativeNames(peerCertSANs, [...path, 'peerCertSANs']),
    ...(imageRepository === undefined || imageRepository === ''
      ? none
      : checkImageRepository(imageRepository, [...path, 'imageRepository'])),
    ...checkArguments(local.extraArgs ?? [], [...path, 'extraArgs']),
  ];
}

function validateExternal(external: Given<ExternalEtcd>): readonly Finding[] {
  const path = ['etcd', 'external'];
  const { endpoints = [], httpEndpoints = [], caFile = '', certFile = '', keyFile = '' } = external;
  const files = { caFile, certFile, keyFile };
  const isHttps = caFile !== '' || certFile !== '' || keyFile !== '';
  const message = 'an external etcd needs at least one endpoint';
  return [
    ...pairFindings(files),
    ...(endpoints.length === 0
      ? refuse('bootstrap.config.required', [...path, 'endpoints'], message)
      : checkUrls(endpoints, isHttps, [...path, 'endpoints'])),
    ...checkUrls(httpEndpoints, false, [...path, 'httpEndpoints']),
    ...Object.entries(files).flatMap(([name, value]) =>
      value === '' ? none : checkAbsolutePath(value, [...path, name]),
    ),
  ];
}

function pairFindings(
  files: Pick<ExternalEtcd, 'caFile' | 'certFile' | 'keyFile'>,
): readonly Finding[] {
  const path = ['etcd', 'external'];
  const code = 'bootstrap.config.required';
  if ((files.certFile === '') !== (files.keyFile === '')) {
    return refuse(code, path, 'certFile and keyFile belong together', 'give both or none');
  }
  if (files.certFile !== '' && files.caFile === '') {
    return refuse(
      code,
      path,
      'certFile and keyFile need caFile',
      'give the authority of etcd as caFile',
    );
  }
  return none;
}
