import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';

/** Who has the lock; without a process where the holder does not answer, as one that is stopped. */
export type FolderHolder = { readonly holder: { readonly processId?: number } };

/** A holder answers at once, unless it is computing keys just then. */
const answerTimeoutMs = 5_000;

/**
 * Takes the lock of a folder for this process, or says who has it. It is an abstract socket named after
 * the folder itself: the kernel lets it go with the process, however that ends, and nothing is written.
 *
 * A process that is started while the lock is held has the socket too until it runs its program, and so
 * for a moment after the lock was let go: a holder is therefore one that answers.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable | FolderHolder> {
  const { dev, ino } = await stat(folder);
  const address = `\0slipway-folder-${dev}-${ino}`;
  const deadline = AbortSignal.timeout(answerTimeoutMs);
  while (!deadline.aborted) {
    const server = await listen(address);
    if (server !== undefined) {
      return { [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())) };
    }
    const processId = await askHolder(address, deadline);
    if (processId !== undefined) return { holder: { processId } };
  }
  return { holder: {} };
}

/** Undefined when the address is in use. */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer((connection) => {
    // Who asked may be gone already.
    connection.on('error', () => undefined);
    connection.end(`${process.pid}\n`, () => connection.destroy());
  });
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return server;
}

/** Process that holds the address; undefined when the socket ends without an answer: it is free, or soon. */
async function askHolder(address: string, signal: AbortSignal): Promise<number | undefined> {
  const connection = connect({ path: address, signal });
  try {
    let answer = '';
    for await (const chunk of connection) answer += String(chunk);
    return /^\d+\n$/.test(answer) ? Number(answer) : undefined;
  } catch {
    return undefined;
  } finally {
    connection.destroy();
  }
}
