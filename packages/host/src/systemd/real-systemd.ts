import { terminal } from '../errors.ts';
import type { Systemd, UnitStatus } from '../host.ts';
import type { RunProgram, RunResult } from '../process/run.ts';
import {
  parseProperties,
  parseStatus,
  parseUnitFileState,
  statusProperties,
} from './unit-status.ts';

export type RealSystemdOptions = {
  /** Longest time a verb may take, stopping included; default 300 000 ms. */
  readonly verbTimeoutMs?: number;
};

/** How much of a unit's journal goes into an error. */
const journalLines = 10;

/** systemd of the machine through `systemctl`, one call per verb. `run` runs a program of the host. */
export function createRealSystemd(run: RunProgram, options: RealSystemdOptions = {}): Systemd {
  return new SystemctlSystemd(run, options.verbTimeoutMs ?? 300_000);
}

class SystemctlSystemd implements Systemd {
  readonly #run: RunProgram;
  readonly #timeoutMs: number;

  constructor(run: RunProgram, timeoutMs: number) {
    this.#run = run;
    this.#timeoutMs = timeoutMs;
  }

  async daemonReload(): Promise<void> {
    const result = await this.#systemctl(['daemon-reload']);
    if (result.exitCode !== 0) throw refusal('daemon-reload', '', wordsOf(result));
  }

  enable(unit: string) {
    return this.#link('enable', unit);
  }

  disable(unit: string) {
    return this.#link('disable', unit);
  }

  mask(unit: string) {
    return this.#link('mask', unit);
  }

  unmask(unit: string) {
    return this.#link('unmask', unit);
  }

  preset(unit: string) {
    return this.#link('preset', unit);
  }

  start(unit: string) {
    return this.#act('start', unit);
  }

  stop(unit: string) {
    return this.#act('stop', unit);
  }

  restart(unit: string) {
    return this.#act('restart', unit);
  }

  reload(unit: string) {
    return this.#act('reload', unit);
  }

  async status(unit: string): Promise<UnitStatus> {
    const [shown, enabled] = await Promise.all([
      this.#systemctl(['show', `--property=${statusProperties.join(',')}`, '--', unit]),
      this.#systemctl(['is-enabled', '--', unit]),
    ]);
    if (shown.exitCode !== 0) throw refusal('show', unit, wordsOf(shown));
    return parseStatus(unit, shown.stdout, parseUnitFileState(enabled.stdout));
  }

  async #link(verb: string, unit: string): Promise<void> {
    const result = await this.#systemctl([verb, '--quiet', '--', unit]);
    if (result.exitCode !== 0) throw refusal(verb, unit, wordsOf(result));
  }

  async #act(verb: string, unit: string): Promise<void> {
    const result = await this.#systemctl([verb, '--', unit]);
    if (result.exitCode === 0) return;
    throw refusal(verb, unit, [wordsOf(result), ...(await this.#lastWords(unit))].join('; '));
  }

  /** What the unit itself left behind; an answer that cannot be had must not hide the failure. */
  async #lastWords(unit: string): Promise<readonly string[]> {
    try {
      const [result, journal] = await Promise.all([
        this.#systemctl(['show', '--property=Result,ExecMainStatus', '--', unit]),
        this.#journal(unit),
      ]);
      const properties = parseProperties(result.stdout);
      const outcome = properties.get('Result') ?? '';
      const status = properties.get('ExecMainStatus') ?? '0';
      const ended = status === '0' ? '' : ` (status ${status})`;
      const words = outcome === '' || outcome === 'success' ? [] : [`result ${outcome}${ended}`];
      return journal === '' ? words : [...words, `journal: ${journal}`];
    } catch {
      return [];
    }
  }

  async #journal(unit: string): Promise<string> {
    const argv = ['journalctl', '--no-pager', '--quiet', '--output=cat', `--lines=${journalLines}`];
    const { stdout } = await this.#run([...argv, `--unit=${unit}`], { timeoutMs: 10_000 });
    return oneLine(stdout);
  }

  #systemctl(args: readonly string[]): Promise<RunResult> {
    const argv = ['systemctl', '--no-pager', '--no-ask-password', ...args];
    return this.#run(argv, { timeoutMs: this.#timeoutMs });
  }
}

function refusal(verb: string, unit: string, words: string): Error {
  const object = unit === '' ? verb : `${verb} ${unit}`;
  return terminal('host.systemd.failed', `systemctl ${object}: ${words}`);
}

function wordsOf(result: RunResult): string {
  return oneLine(result.stderr) || oneLine(result.stdout) || `exit code ${result.exitCode}`;
}

function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' | ');
}
