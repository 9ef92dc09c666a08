import { createServer } from 'node:net';
import { PreflightError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';

export const defaultPort = 6443;

/** True when nothing listens on the port of the loopback address. */
export function isPortFree(port: number, address = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: address, exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}

/** A port that the system says is free. */
function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/**
 * The port to serve on: `wanted`, or a PreflightError when it is taken; else the one of last time, else
 * 6443, else any free one.
 */
export async function choosePort(
  wanted: number | undefined,
  last: number | undefined,
): Promise<number> {
  if (wanted !== undefined) {
    if (await isPortFree(wanted)) return wanted;
    const code: CliErrorCode = 'cli.up.port-in-use';
    throw new PreflightError(`listen on --port ${wanted}: the port is taken`, { code });
  }
  for (const candidate of [last, defaultPort]) {
    if (candidate !== undefined && (await isPortFree(candidate))) return candidate;
  }
  return await anyFreePort();
}
