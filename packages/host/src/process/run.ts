import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { terminal, transient } from '../errors.ts';

export type RunOptions = {
  /** Default 90 000 ms; then the program is killed and the call fails. */
  readonly timeoutMs?: number;
  /** Output beyond this is dropped, per stream; default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Added to the clean environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Written to standard input, which is closed afterwards. */
  readonly input?: string;
  /** Default `/`. */
  readonly directory?: string;
};

export type RunResult = {
  /** 128 + signal number is not used: a program that died of a signal has `exitCode` -1. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program with an argument array, never through a shell. */
export type RunProgram = (argv: readonly string[], options?: RunOptions) => Promise<RunResult>;

/** Where programs are looked for. */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * `PATH` of a user, then what every machine has. What is not absolute is left out: it would lead to
 * wherever a program happens to be started.
 */
export function programPathOf(path = ''): string {
  const given = path.split(':').filter((directory) => directory.startsWith('/'));
  return [...new Set([...given, ...programPath.split(':')])].join(':');
}

/**
 * What programs see: nothing of the caller's environment, so that no proxy, locale or pager
 * setting changes what they print.
 */
export const cleanEnvironment: Readonly<Record<string, string>> = {
  PATH: programPath,
  LC_ALL: 'C.UTF-8',
  SYSTEMD_PAGER: '',
  SYSTEMD_COLORS: '0',
  SYSTEMD_URLIFY: '0',
};

/**
 * Runs `argv` and waits for its end. A non-zero exit is a result, not an error.
 * @throws TerminalError `host.process.not-started`, TransientError `host.process.timeout`
 */
export const runProgram: RunProgram = async (argv, options = {}) => {
  const [program, ...args] = argv;
  if (program === undefined) {
    throw terminal('host.process.not-started', 'start program: nothing to run');
  }
  const { timeoutMs = 90_000, maxOutputBytes = 1 << 20 } = options;
  const child = spawn(program, args, {
    cwd: options.directory ?? '/',
    env: { ...cleanEnvironment, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that does not read its input is no failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const stdout = collect(child.stdout, maxOutputBytes);
  const stderr = collect(child.stderr, maxOutputBytes);
  const end = await ended(child, program, timeoutMs);
  return { ...end, stdout: stdout(), stderr: stderr() };
};

type End = { readonly exitCode: number; readonly signal: NodeJS.Signals | undefined };

function ended(child: ChildProcess, program: string, timeoutMs: number): Promise<End> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // A grandchild may hold the pipes open: do not wait for it.
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      reject(transient('host.process.timeout', `run ${program}: no end after ${timeoutMs} ms`));
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(terminal('host.process.not-started', `start ${program}: ${error.message}`, error));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? -1, signal: signal ?? undefined });
    });
  });
}

function collect(stream: Readable, maxBytes: number): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const room = maxBytes - size;
    if (room <= 0) return;
    chunks.push(chunk.subarray(0, room));
    size += Math.min(chunk.length, room);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
