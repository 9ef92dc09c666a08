import { createServer } from 'node:net';
import type { PortState } from './machine-probe.ts';

/** Listens on the port and closes again: the only question that the system answers for sure. */
export function portState(port: number, host?: string): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ free: false, reason: error.code ?? error.message }),
    );
    const where = host === undefined || host === '' ? {} : { host };
    server.listen({ port, ...where, exclusive: true }, () =>
      server.close(() => resolve({ free: true })),
    );
  });
}
