import { get } from 'node:https';
import { getCACertificates } from 'node:tls';
import { describeError, TerminalError, UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

const timeoutMs = 30_000;
/** A kubeconfig has some kilobytes. */
const maximalBytes = 1024 * 1024;

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

/** Text of a kubeconfig at an https address. No redirects are followed. Throws UserError or TerminalError. */
export async function fetchKubeconfig(request: KubeconfigFetch): Promise<string> {
  const { address, authorities = machineAuthorities(), signal } = request;
  if (URL.parse(address)?.protocol !== 'https:') {
    throw new UserError(`fetch ${address}: a discovery file is fetched by https only`, { code });
  }
  return new Promise((resolve, reject) => {
    const outgoing = get(
      address,
      { ca: [...authorities], timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) },
      (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          reject(failure(address, `the server answered ${response.statusCode}`));
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maximalBytes) outgoing.destroy(new Error('it is larger than 1 MiB'));
        });
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        response.on('error', (error) => reject(failure(address, describeError(error), error)));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', (error) => reject(failure(address, describeError(error), error)));
  });
}

const code: BootstrapErrorCode = 'bootstrap.discovery.file';

function failure(address: string, why: string, cause?: unknown): TerminalError {
  return new TerminalError(`fetch ${address}: ${why}`, { code, cause });
}
