import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, terminal } from '../errors.ts';
import { cleanEnvironment } from '../process/run.ts';
import { clearCgroups, makeCgroups } from './cgroup.ts';

export type NspawnProcessOptions = {
  readonly id: string;
  readonly root: string;
  readonly bridge: string;
  readonly uuid: string;
  /** Gets everything the machine prints to its console. */
  readonly consolePath: string;
  readonly binds: readonly { readonly source: string; readonly target: string }[];
};

/** What systemd-nspawn exits with when the machine asked for a reboot and `--keep-unit` is given. */
const rebootStatus = 133;
const stopTimeoutMs = 20_000;
const startTimeoutMs = 20_000;

/** Puts itself into the cgroups named before `--`, then becomes the program named after it. */
const enterCgroups =
  'while [ "$1" != -- ]; do echo "$$" >"$1" || exit 1; shift; done; shift; exec "$@"';

/**
 * systemd-nspawn for one machine. It is started again whenever the machine rebooted, as the
 * hardware would do.
 *
 *   off ── start ──▶ on ── reboot inside ──▶ on ── stop, kill, power-off inside ──▶ off
 */
export class NspawnProcess {
  readonly #options: NspawnProcessOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #launching: Promise<void> = Promise.resolve();
  #wanted: boolean = false;
  #waiting: PromiseWithResolvers<void>[] = [];

  constructor(options: NspawnProcessOptions) {
    this.#options = options;
  }

  /** True from `start` until the machine is off. */
  isWanted(): boolean {
    return this.#wanted;
  }

  /** Resolves when the machine's init runs. */
  async start(): Promise<void> {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#launching = this.#launch();
    await this.#launching;
  }

  async stop(): Promise<void> {
    this.#wanted = false;
    // A machine that is just coming back from a reboot has to be there before it can be told to end.
    await this.#launching.catch(() => undefined);
    this.#child?.kill('SIGTERM');
    const timer = new AbortController();
    await Promise.race([this.#ended, pause(stopTimeoutMs, undefined, { signal: timer.signal })]);
    timer.abort();
    await this.kill();
  }

  /** Cuts the power. */
  async kill(): Promise<void> {
    this.#wanted = false;
    await this.#launching.catch(() => undefined);
    const leader = this.leader();
    if (leader !== undefined) killProcess(leader);
    else this.#child?.kill('SIGKILL');
    await this.#ended;
    await clearCgroups(this.#options.id);
  }

  /** Resolves after the next start of init that `start` has not been called for; rejects when the machine goes off. */
  nextStart(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** The machine's init, numbered as this computer does. */
  leader(): number | undefined {
    const pid = this.#child?.pid;
    if (pid === undefined) return undefined;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      return children === '' ? undefined : Number(children.split(' ')[0]);
    } catch {
      return undefined;
    }
  }

  /** The end of the console's text. */
  lastWords(): string {
    const { consolePath } = this.#options;
    if (!existsSync(consolePath)) return 'its console is empty';
    const lines = readFileSync(consolePath, 'utf8').trim().split('\n');
    return `last on its console: ${lines.slice(-5).join(' | ')}`;
  }

  async #launch(): Promise<void> {
    const procs = makeCgroups(this.#options.id);
    const log = openSync(this.#options.consolePath, 'a');
    const args = ['-c', enterCgroups, 'sh', ...procs, '--', ...nspawnCommand(this.#options)];
    const child = spawn('sh', args, {
      // A session of its own: Ctrl-C on our terminal is for us, machines are shut down in order.
      detached: true,
      cwd: '/',
      env: {
        ...cleanEnvironment,
        SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1',
        SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'network',
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', (code) => {
        this.#child = undefined;
        resolve();
        if (code === rebootStatus && this.#wanted) void this.#again();
        else this.#wentOff();
      });
    });
    await this.#initRuns();
  }

  async #again(): Promise<void> {
    try {
      this.#launching = this.#launch();
      await this.#launching;
    } catch {
      // The reason is on its console, which the error of whoever waits for the machine quotes.
      this.#wentOff();
      return;
    }
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #wentOff(): void {
    this.#wanted = false;
    const { id } = this.#options;
    const off = terminal(
      'host.nspawn.start',
      `wait for machine ${id}: it is off; ${this.lastWords()}`,
    );
    for (const { reject } of this.#waiting.splice(0)) reject(off);
  }

  async #initRuns(): Promise<void> {
    for (const end = Date.now() + startTimeoutMs; Date.now() < end; await pause(20)) {
      const leader = this.leader();
      if (leader !== undefined && isInit(leader)) return;
      if (this.#child === undefined) break;
    }
    const { id } = this.#options;
    throw terminal('host.nspawn.start', `start machine ${id}: ${this.lastWords()}`);
  }
}

function nspawnCommand(options: NspawnProcessOptions): readonly string[] {
  return [
    'systemd-nspawn',
    '--quiet',
    '--boot',
    // Neither machined nor a systemd of this computer is needed.
    '--register=no',
    '--keep-unit',
    `--directory=${options.root}`,
    `--machine=${options.id}`,
    `--uuid=${options.uuid}`,
    `--network-bridge=${options.bridge}`,
    '--resolv-conf=off',
    '--timezone=off',
    '--link-journal=no',
    '--drop-capability=CAP_SYS_TIME',
    '--console=pipe',
    '--kill-signal=SIGRTMIN+4',
    ...options.binds.map(({ source, target }) => `--bind-ro=${source}:${target}`),
  ];
}

/** nspawn's child sets up the machine first; it has become init when it runs systemd. */
function isInit(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'systemd';
  } catch {
    return false;
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}
