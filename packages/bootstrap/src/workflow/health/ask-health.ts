import { request as httpsRequest } from 'node:https';

/** What a health endpoint answered; `observed` is told to the user while waiting. */
export type HealthAnswer = { readonly healthy: boolean; readonly observed: string };

/**
 * GET on a health endpoint of this machine. Its certificate is not checked: it may be self-signed, and
 * nothing secret is sent. Never throws: no answer is an answer.
 */
export async function askHealth(address: string, signal?: AbortSignal): Promise<HealthAnswer> {
  // Only here: the runtime loads its whole fetch with this module, 20 ms for every command that asks nothing.
  const { request: httpRequest } = await import('node:http');
  const options = { timeout: 5_000, ...(signal === undefined ? {} : { signal }) };
  return await new Promise((resolve) => {
    const request = address.startsWith('https:')
      ? httpsRequest(address, { ...options, rejectUnauthorized: false, agent: false })
      : httpRequest(address, { ...options, agent: false });
    request.on('response', (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      resolve({ healthy: status === 200, observed: `${address} answered ${status}` });
    });
    request.on('timeout', () => request.destroy(new Error('no answer within 5 s')));
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ healthy: false, observed: `${address}: ${error.code ?? error.message}` });
    });
    request.end();
  });
}
