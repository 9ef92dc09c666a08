import { spawn } from 'node:child_process';

export type ProgramResult = {
  /** Exit code; undefined when a signal ended it or it could not be started. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

export type ProgramOptions = {
  /** Standard input; default empty. */
  readonly input?: string;
  /** Default 30 s; then the program is killed. */
  readonly timeoutMs?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
};

/** Runs a program to its end, without a shell, and gives what it said. Never rejects for an exit code. */
export function runToEnd(
  program: string,
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(program, argv, {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 30_000,
    killSignal: 'SIGKILL',
    ...(options.environment === undefined ? {} : { env: options.environment }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  // A program that ends before it has read everything breaks the pipe; its exit code tells why.
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  return new Promise((resolve) => {
    child.on('error', (error) => {
      resolve({ code: undefined, stdout: written.stdout, stderr: error.message });
    });
    child.on('close', (code) => resolve({ code: code ?? undefined, ...written }));
  });
}
