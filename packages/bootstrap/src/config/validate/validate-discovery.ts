import { parseHostPort } from '../../network/host-port.ts';
import type { Discovery, TokenDiscovery } from '../configuration.ts';
import type { Finding } from '../finding.ts';
import type { GivenJoin } from '../given.ts';
import { none, quote, refuse } from './rules.ts';
import { checkToken } from './validate-tokens.ts';

/** Rules for discovery (ValidateDiscovery): by token or by file, and with something to trust. */
export function validateDiscovery(
  discovery: Discovery,
  given: GivenJoin['discovery'],
): readonly Finding[] {
  const path = ['discovery'];
  if (given?.bootstrapToken === undefined && given?.file === undefined) {
    const hint = 'give --token and --discovery-token-ca-cert-hash, or --discovery-file';
    return refuse('bootstrap.config.required', path, 'how to find the cluster is not said', hint);
  }
  const both =
    given.bootstrapToken !== undefined && given.file !== undefined
      ? refuse('bootstrap.config.exclusive', path, 'discovery is by token and by file', 'keep one')
      : none;
  if ('file' in discovery) {
    const { tlsBootstrapToken, file } = discovery;
    return [
      ...both,
      ...fileFindings(file.kubeConfigPath),
      ...(tlsBootstrapToken === ''
        ? none
        : checkToken(tlsBootstrapToken, [...path, 'tlsBootstrapToken'])),
    ];
  }
  // Not given: it is the token of discovery, which has its own finding.
  const isOwn = (given.tlsBootstrapToken ?? '') !== '';
  return [
    ...both,
    ...tokenFindings(discovery.bootstrapToken),
    ...(isOwn ? checkToken(discovery.tlsBootstrapToken, [...path, 'tlsBootstrapToken']) : none),
  ];
}

function tokenFindings(discovery: TokenDiscovery): readonly Finding[] {
  const path = ['discovery', 'bootstrapToken'];
  return [
    ...endpointFindings(discovery.apiServerEndpoint),
    ...checkToken(discovery.token, [...path, 'token']),
    ...hashFindings(discovery),
  ];
}

function endpointFindings(endpoint: string): readonly Finding[] {
  const path = ['discovery', 'bootstrapToken', 'apiServerEndpoint'];
  const hint = 'write it as 10.0.0.1:6443';
  if (endpoint === '') {
    return refuse('bootstrap.config.required', path, 'the API server to join is not given', hint);
  }
  if (parseHostPort(endpoint)?.port !== undefined) return none;
  const message = `${quote(endpoint)} is not of the form host:port`;
  return refuse('bootstrap.config.endpoint', path, message, hint);
}

function hashFindings(discovery: TokenDiscovery): readonly Finding[] {
  const path = ['discovery', 'bootstrapToken', 'caCertHashes'];
  const { caCertHashes, unsafeSkipCAVerification } = discovery;
  if (caCertHashes.length === 0 && !unsafeSkipCAVerification) {
    const message = 'nothing tells the cluster from an impostor: no hash of its authority is given';
    const hint =
      'give --discovery-token-ca-cert-hash, or accept the risk with --discovery-token-unsafe-skip-ca-verification';
    return refuse('bootstrap.config.ca-hashes', path, message, hint);
  }
  return caCertHashes.flatMap((hash, index) => {
    if (/^sha256:[0-9a-f]{64}$/i.test(hash)) return none;
    const message = `${quote(hash)} is not of the form sha256:<64 hex digits>`;
    return refuse('bootstrap.config.ca-hash', [...path, index], message);
  });
}

function fileFindings(path: string): readonly Finding[] {
  const at = ['discovery', 'file', 'kubeConfigPath'];
  if (path === '') {
    return refuse('bootstrap.config.required', at, 'the file for discovery is not given');
  }
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\//.exec(path)?.[1];
  if (scheme === undefined || scheme === 'file') return none;
  if (scheme === 'https' && URL.canParse(path)) return none;
  const message = `${quote(path)} is neither a file nor an https address`;
  return refuse('bootstrap.config.url', at, message);
}
