import type { HostFiles } from '../../host.ts';
import { instanceOf } from './unit-name.ts';
import { followLinks } from './unit-search.ts';
import { isTrue, lastValue, type Settings } from './unit-text.ts';

/** How starting a service ends. */
export type ServiceRun = {
  readonly activeState: 'active' | 'inactive' | 'failed';
  readonly subState: string;
  /** systemd's `Result`. */
  readonly result: 'success' | 'exit-code' | 'protocol';
  /** Exit status that counts, 203 when the program cannot be executed. */
  readonly status: number;
  /** True when `systemctl start` itself fails: only some types wait for their program. */
  readonly refusesStart: boolean;
};

/** What a command of a service does; the model runs nothing, it knows programs by their name. */
type Outcome = 'runs on' | { readonly status: number };

/** Programs that end by themselves; every other one counts as a daemon. */
const brief = new Set(
  'true false echo printf rm mkdir touch cp mv ln chmod chown kill test sysctl systemd-sysctl'.split(
    ' ',
  ),
);

const cannotExecute = 203;

/** Plays a service's start: the programs must exist under the root, what they do is guessed from their names. */
export async function runService(
  files: HostFiles,
  unit: string,
  settings: Settings,
): Promise<ServiceRun> {
  const before = [
    ...(settings['Service.ExecCondition'] ?? []),
    ...(settings['Service.ExecStartPre'] ?? []),
  ];
  for (const line of before) {
    const outcome = await outcomeOf(files, unit, line);
    if (outcome !== 'runs on' && outcome.status !== 0) return failed(outcome.status, true);
  }
  const type = lastValue(settings, 'Service.Type') ?? 'simple';
  if (type === 'oneshot') return await runOneshot(files, unit, settings);
  const outcome = await outcomeOf(files, unit, settings['Service.ExecStart']?.[0] ?? '');
  if (outcome === 'runs on') return running;
  if (outcome.status !== 0) return failed(outcome.status, waitsFor(type, outcome.status));
  if (type === 'notify' || type === 'dbus') {
    return { ...failed(0, true), result: 'protocol' };
  }
  return ended(settings);
}

/** `simple` is started once it is forked, `exec` once the program runs; the others wait for its word. */
function waitsFor(type: string, status: number): boolean {
  if (type === 'simple' || type === 'idle') return false;
  return type !== 'exec' || status === cannotExecute;
}

async function runOneshot(files: HostFiles, unit: string, settings: Settings): Promise<ServiceRun> {
  for (const line of settings['Service.ExecStart'] ?? []) {
    const outcome = await outcomeOf(files, unit, line);
    if (outcome !== 'runs on' && outcome.status !== 0) return failed(outcome.status, true);
  }
  return ended(settings);
}

/** Whether the commands of a reload can be executed and succeed; the exit status that counts. */
export async function runReload(
  files: HostFiles,
  unit: string,
  settings: Settings,
): Promise<number> {
  for (const line of settings['Service.ExecReload'] ?? []) {
    const outcome = await outcomeOf(files, unit, line);
    if (outcome !== 'runs on' && outcome.status !== 0) return outcome.status;
  }
  return 0;
}

const running: ServiceRun = {
  activeState: 'active',
  subState: 'running',
  result: 'success',
  status: 0,
  refusesStart: false,
};

function ended(settings: Settings): ServiceRun {
  const remains = isTrue(lastValue(settings, 'Service.RemainAfterExit'));
  return remains
    ? { ...running, subState: 'exited' }
    : { ...running, activeState: 'inactive', subState: 'dead' };
}

function failed(status: number, refusesStart: boolean): ServiceRun {
  return { activeState: 'failed', subState: 'failed', result: 'exit-code', status, refusesStart };
}

async function outcomeOf(files: HostFiles, unit: string, line: string): Promise<Outcome> {
  const prefix = /^[-@:+!|]*/.exec(line)?.[0] ?? '';
  const words = splitCommand(line.slice(prefix.length).replaceAll('%i', instanceOf(unit)));
  const program = words[0] ?? '';
  const outcome = (await isProgram(files, program)) ? guess(words) : { status: cannotExecute };
  // `-` in front: a failure is recorded and counts as success.
  return prefix.includes('-') && outcome !== 'runs on' ? { status: 0 } : outcome;
}

function guess(words: readonly string[]): Outcome {
  const name = (words[0] ?? '').replace(/^.*\//, '');
  if (name === 'false') return { status: 1 };
  if (name === 'sh' || name === 'bash') return guessScript(words);
  return brief.has(name) ? { status: 0 } : 'runs on';
}

/** `sh -c TEXT`: a trailing `exit N` is obeyed, a `sleep` or a loop runs on. */
function guessScript(words: readonly string[]): Outcome {
  const text = words[1] === '-c' ? (words[2] ?? '') : '';
  const status = /\bexit\s+(?<status>\d+)\s*;?\s*$/.exec(text)?.groups?.['status'];
  if (status !== undefined) return { status: Number(status) };
  return /\b(?:sleep|while|until)\b/.test(text) ? 'runs on' : { status: 0 };
}

const programPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

async function isProgram(files: HostFiles, program: string): Promise<boolean> {
  const places = program.startsWith('/')
    ? [program]
    : programPath.map((directory) => `${directory}/${program}`);
  for (const place of places) {
    const stat = await files.stat(await followLinks(files, place));
    if (stat?.type === 'file' && (stat.mode & 0o111) !== 0) return true;
  }
  return false;
}

/** Words of a command line; single and double quotes hold words together. */
function splitCommand(line: string): readonly string[] {
  const words = line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g);
  return [...words].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
}
