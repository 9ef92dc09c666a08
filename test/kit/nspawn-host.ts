import { readdirSync, readFileSync } from 'node:fs';
import { runProgram } from './run-program.ts';

/** PID 1 of the machine whose root is below `directory`, in the numbering of this computer. */
function leaderOf(directory: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const argv = readOrEmpty(`/proc/${pid}/cmdline`).split('\0');
    const isLauncher = argv[0]?.endsWith('systemd-nspawn') === true;
    if (!isLauncher || !argv.some((each) => each.includes(`${directory}/`))) continue;
    const child = readOrEmpty(`/proc/${pid}/task/${pid}/children`).trim().split(' ')[0];
    if (child !== undefined && child !== '') return Number(child);
  }
  throw new Error(`no running machine below ${directory}`);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Runs a program inside the machine, as its root. The shell reaps the program within the machine: a
 * process that entered from outside would keep it from shutting down.
 */
export async function runInside(directory: string, argv: readonly string[]): Promise<string> {
  const enter = [
    'nsenter',
    '-t',
    `${leaderOf(directory)}`,
    '-m',
    '-u',
    '-i',
    '-n',
    '-p',
    '-C',
    '-r',
    '-w',
    '-F',
    '--',
  ];
  const clean = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  const reaped = ['sh', '-c', '{ "$@" <&3 3<&- & } 3<&0; wait "$!"', 'sh'];
  const result = await runProgram([...enter, ...clean, ...reaped, ...argv], { timeoutMs: 20_000 });
  if (result.code !== 0)
    throw new Error(`${argv.join(' ')}: exit ${result.code}: ${result.stderr}`);
  return result.stdout;
}

/** Invocation id per loaded service: it changes with each start. */
export async function invocationIds(directory: string): Promise<Readonly<Record<string, string>>> {
  const properties = ['--property=Id', '--property=InvocationID'];
  const shown = await runInside(directory, [
    'systemctl',
    'show',
    '--type=service',
    '--state=active',
    '*',
    ...properties,
  ]);
  return Object.fromEntries(
    shown
      .split('\n\n')
      .map((block) => [
        /^Id=(.*)$/m.exec(block)?.[1] ?? '',
        /^InvocationID=(.*)$/m.exec(block)?.[1] ?? '',
      ])
      .filter(([id]) => id !== ''),
  );
}
