import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { getCACertificates } from 'node:tls';
import { describeError, TerminalError, UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

/** For one answer from its first byte to its last: who sends a byte now and then is not waited for. */
const defaultTimeoutMs = 30_000;
/** A kubeconfig has some kilobytes. */
const maximalBytes = 1024 * 1024;
const maximalRedirects = 5;

/** The authorities that this machine trusts, and those that come with the runtime. */
export function machineAuthorities(): readonly string[] {
  return [...getCACertificates('system'), ...getCACertificates('bundled')];
}

export type KubeconfigFetch = {
  /** https address; http is refused, because whoever sits between could pose as the cluster. */
  readonly address: string;
  /** Whom to believe the address by; default `machineAuthorities`. */
  readonly authorities?: readonly string[];
  /** For each answer as a whole; default 30 000 ms. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** An address as errors show it: user, password and query may be secrets. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.replace(/\/\/[^/]*@/, '//').replace(/[?#].*$/s, '');
  return url.protocol === 'https:' || url.protocol === 'http:'
    ? `${url.origin}${url.pathname}`
    : address;
}

/** Text of a kubeconfig at an https address; redirects to https are followed. Throws UserError or TerminalError. */
export async function fetchKubeconfig(request: KubeconfigFetch): Promise<string> {
  let address = request.address;
  for (let redirects = 0; redirects <= maximalRedirects; redirects += 1) {
    const answer = await fetchOnce({ ...request, address });
    if ('text' in answer) return answer.text;
    address = answer.location;
  }
  throw failure(request.address, `more than ${maximalRedirects} redirects`);
}

type Answer = { readonly text: string } | { readonly location: string };

function fetchOnce(request: KubeconfigFetch): Promise<Answer> {
  const { address, authorities, timeoutMs = defaultTimeoutMs, signal } = request;
  if (URL.parse(address)?.protocol !== 'https:') {
    throw new UserError(
      `fetch ${shownAddress(address)}: a discovery file is fetched by https only`,
      { code },
    );
  }
  const ca = [...(authorities ?? machineAuthorities())];
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      if (signal?.aborted === true) reject(signal.reason);
      else reject(failure(address, limit.aborted ? 'no whole answer in time' : error));
    };
    const outgoing = get(address, { ca, signal: ended }, (response) => {
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) {
        readText(response).then((text) => resolve({ text }), fail);
        return;
      }
      response.destroy();
      const location = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
      if (location === undefined) reject(failure(address, `the server answered ${statusCode}`));
      else redirection(address, location).then(resolve, reject);
    });
    outgoing.on('error', fail);
  });
}

async function redirection(address: string, location: string): Promise<Answer> {
  const target = URL.parse(location, address);
  if (target !== null) return { location: target.href };
  throw failure(address, 'the server redirects to what is no address');
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maximalBytes) throw new Error('it is larger than 1 MiB');
  }
  return Buffer.concat(chunks).toString('utf8');
}

const code: BootstrapErrorCode = 'bootstrap.discovery.file';

function failure(address: string, cause: unknown): TerminalError {
  const why = typeof cause === 'string' ? cause : describeError(cause);
  return new TerminalError(`fetch ${shownAddress(address)}: ${why}`, { code, cause });
}
