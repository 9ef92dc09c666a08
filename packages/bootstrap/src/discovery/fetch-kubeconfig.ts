import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { getCACertificates } from 'node:tls';
import { describeError, TerminalError, UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

const timeoutMs = 30_000;
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
  readonly signal?: AbortSignal;
};

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

function fetchOnce({ address, authorities, signal }: KubeconfigFetch): Promise<Answer> {
  if (URL.parse(address)?.protocol !== 'https:') {
    throw new UserError(`fetch ${address}: a discovery file is fetched by https only`, { code });
  }
  const ca = [...(authorities ?? machineAuthorities())];
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(failure(address, describeError(error), error));
    const outgoing = get(
      address,
      { ca, timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) },
      (response) => {
        const { statusCode = 0, headers } = response;
        const { location } = headers;
        if (statusCode === 200) {
          readText(response).then((text) => resolve({ text }), fail);
          return;
        }
        response.resume();
        if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
          resolve({ location: new URL(location, address).href });
        } else {
          reject(failure(address, `the server answered ${statusCode}`));
        }
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', fail);
  });
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

function failure(address: string, why: string, cause?: unknown): TerminalError {
  return new TerminalError(`fetch ${address}: ${why}`, { code, cause });
}
