import { Writable } from 'node:stream';
import { runProgram } from '../../packages/cli/src/command/program.ts';
import { describeFailure, exitCodeOf } from '../../packages/cli/src/error-report.ts';
import { createOutput } from '../../packages/cli/src/output.ts';
import type { ProgramResult } from './run-program.ts';

/**
 * Runs the command line in this process: a tenth of a second less per command than a process each.
 */
export async function slipwayInProcess(
  argv: readonly string[],
  options: {
    readonly variables?: Readonly<Record<string, string>>;
    readonly workingDirectory?: string;
  } = {},
): Promise<ProgramResult> {
  const [stdout, stderr] = [collector(), collector()];
  const output = createOutput(stdout.stream, stderr.stream);
  const environment = {
    variables: options.variables ?? {},
    workingDirectory: options.workingDirectory ?? '/',
    homeDirectory: '/nonexistent',
    nodeBinary: process.execPath,
    entryPoint: '',
    userId: process.getuid?.() ?? -1,
    restartWith: () => undefined,
    interrupted: new AbortController().signal,
  };
  let code: number;
  try {
    code = await runProgram(argv, { output, environment });
  } catch (error) {
    const { default: remedies } = await import('../../packages/cli/src/remedies.json', {
      with: { type: 'json' },
    });
    output.problem(describeFailure(error, remedies));
    code = exitCodeOf(error);
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}
