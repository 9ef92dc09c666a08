import { constants, homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runProgram } from './command/program.ts';
import { describeFailure, exitCodeOf } from './error-report.ts';
import { interruptionBy } from './interruption.ts';
import { createOutput } from './output.ts';

const interruption = new AbortController();

function interrupt(signal: NodeJS.Signals): void {
  // Asked twice: the user does not want to wait.
  if (interruption.signal.aborted) process.exit(130);
  interruption.abort(interruptionBy(signal));
}

function restartWith(flags: readonly string[], variables: Readonly<Record<string, string>>): void {
  const { execPath, execArgv, execve } = process;
  if (execve === undefined || flags.every((flag) => execArgv.includes(flag))) return;
  const argv = [execPath, ...execArgv, ...flags, ...process.argv.slice(1)];
  execve.call(process, execPath, argv, { ...process.env, ...variables });
}

process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

// Whoever reads the answer may have had enough of it (`| head`): no failure to report, and nobody to report to.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(128 + constants.signals.SIGPIPE);
  throw error;
});

const output = createOutput(process.stdout, process.stderr);

try {
  const exitCode = await runProgram(process.argv.slice(2), {
    output,
    environment: {
      variables: process.env,
      workingDirectory: process.cwd(),
      homeDirectory: homedir(),
      nodeBinary: process.execPath,
      entryPoint: fileURLToPath(import.meta.url),
      userId: process.getuid?.() ?? -1,
      restartWith,
      interrupted: interruption.signal,
    },
  });
  process.exit(exitCode);
} catch (error) {
  const { default: remedies } = await import('./remedies.json', { with: { type: 'json' } });
  output.problem(describeFailure(error, remedies));
  process.exit(exitCodeOf(error));
}
