import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * Takes the lock of a folder for this process; undefined when another has it. It is an abstract socket
 * named after the folder itself: the kernel lets it go with the process, however that ends, and nothing
 * is written.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable | undefined> {
  const { dev, ino } = await stat(folder);
  const server = createServer((connection) => connection.destroy());
  server.listen(`\0slipway-folder-${dev}-${ino}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed));
    },
  };
}
