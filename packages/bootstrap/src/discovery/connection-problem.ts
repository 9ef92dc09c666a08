import { TerminalError } from '@slipway/base';
import { inspectCertificate } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { fetchPeerCertificate } from './peer-certificate.ts';
import { validityProblem } from './validity-problem.ts';

/** What keeps a connection from being made that no waiting cures. */
export type ConnectionProblem = 'clock' | 'address' | 'untrusted' | 'not-tls';

/** OpenSSL's and Node's codes, by what they mean for somebody who joins. */
const problems: Readonly<Record<string, ConnectionProblem>> = {
  CERT_NOT_YET_VALID: 'clock',
  CERT_HAS_EXPIRED: 'clock',
  ERR_TLS_CERT_ALTNAME_INVALID: 'address',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  INVALID_CA: 'untrusted',
  INVALID_PURPOSE: 'untrusted',
};

/** OpenSSL's words for an answer that is not of its protocol; Node gives them all the code EPROTO. */
const notTls = /wrong version number|packet length too long|http request/;

/** The problem in an error or in one of its causes; undefined: another try may help. */
export function connectionProblem(error: unknown): ConnectionProblem | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const problem = problems[code];
    if (problem !== undefined) return problem;
    if (code === 'EPROTO' && notTls.test(cause.message)) return 'not-tls';
  }
  return undefined;
}

const codes = {
  clock: 'bootstrap.discovery.clock',
  address: 'bootstrap.discovery.address',
  untrusted: 'bootstrap.discovery.untrusted',
  'not-tls': 'bootstrap.discovery.untrusted',
} as const satisfies Record<ConnectionProblem, BootstrapErrorCode>;

/**
 * An error with its reason, where waiting cannot help, and `error` itself where it can. Looks at the
 * certificate of the server for what to say.
 */
export async function explainConnection(
  error: unknown,
  server: string,
  now: number,
): Promise<unknown> {
  const problem = connectionProblem(error);
  if (problem === undefined) return error;
  const why = await reason(problem, server, now);
  return new TerminalError(`connect to ${server}: ${why}`, { code: codes[problem], cause: error });
}

async function reason(problem: ConnectionProblem, server: string, now: number): Promise<string> {
  if (problem === 'not-tls') return 'what answers there does not speak TLS';
  if (problem === 'untrusted') {
    return 'its certificate is not signed by the authority of the cluster';
  }
  const pem = await fetchPeerCertificate(server);
  const certificate = pem === undefined ? undefined : inspectCertificate(pem);
  if (problem === 'clock') {
    const detail =
      certificate && validityProblem('the certificate of the server', certificate, now);
    return detail ?? 'a certificate of the cluster is not valid at the time of this host';
  }
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '');
  const names = [...(certificate?.dnsNames ?? []), ...(certificate?.ipAddresses ?? [])].join(', ');
  return (
    `its certificate is not for ${host}, only for ${names || 'other names'}; add ${host} to ` +
    'apiServer.certSANs, then on the control plane remove apiserver.crt and apiserver.key and run ' +
    '`slipway init phase certs apiserver`'
  );
}
