import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { PreflightError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';

/**
 * Takes the one right to run on a data directory, until disposed or until the process ends in whatever
 * way: an abstract socket is gone with its process, so no stale lock is ever left. Linux only.
 */
export async function lockDataDirectory(directory: string): Promise<AsyncDisposable> {
  const path = await realpath(directory);
  const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: Error & { readonly code?: string }) => {
      reject(cause.code === 'EADDRINUSE' ? inUse(path) : cause);
    });
    server.listen(`\0slipway-up-${name}`, resolve);
  });
  // The lock must not keep a finished process alive.
  server.unref();
  return {
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function inUse(path: string): PreflightError {
  const code: CliErrorCode = 'cli.up.in-use';
  return new PreflightError(`open data directory ${path}: another slipway up runs on it`, { code });
}
