import { lookup } from 'node:dns/promises';
import { type RunProgram, runProgram } from '../process/run.ts';

export type NameQuestion = {
  /** Default 10 000 ms. With several servers and search domains the resolver itself takes minutes. */
  readonly timeoutMs?: number;
  /** Default: programs of this machine. */
  readonly run?: RunProgram;
};

/**
 * Addresses that a name resolves to, by the resolver of the system, `/etc/hosts` included; empty when it
 * does not, or not in time. The resolver is asked in a process of its own: within this one it cannot be
 * stopped, and holds up even the end of the process.
 */
export async function resolveName(
  name: string,
  { timeoutMs = 10_000, run = runProgram }: NameQuestion = {},
): Promise<readonly string[]> {
  // No name, but an option of getent's.
  if (name === '' || name.startsWith('-')) return [];
  try {
    const { exitCode, stdout } = await run(['getent', 'ahosts', name], { timeoutMs });
    return exitCode === 0 ? addressesOf(stdout) : [];
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === notStarted;
    return isMissing ? await resolveHere(name) : [];
  }
}

const notStarted = 'host.process.not-started';

/** Lines `10.20.0.11 STREAM cp1`, each address once for every kind of socket. */
function addressesOf(output: string): readonly string[] {
  const addresses = output.split('\n').map((line) => line.split(/\s/)[0] ?? '');
  return [...new Set(addresses)].filter((address) => address !== '');
}

/** Where there is no getent. */
async function resolveHere(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
