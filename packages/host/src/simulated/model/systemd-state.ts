import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { errnoOf, terminal } from '../../errors.ts';
import type { UnitDefinition } from './unit-definition.ts';

/** A unit in the memory of the simulated systemd. */
export type UnitRuntime = {
  readonly definition: UnitDefinition;
  readonly activeState: string;
  readonly subState: string;
  readonly invocationId: string;
  readonly result: string;
  readonly status: number;
};

/** What the simulated systemd remembers; none of it is under the root, as none of it is on a real disk. */
export type SystemdState = {
  /** Empty while the host is powered off. */
  readonly bootId: string;
  readonly units: Readonly<Record<string, UnitRuntime>>;
};

export const poweredOff: SystemdState = { bootId: '', units: {} };

/**
 * The state file beside the root. A process that takes over after a kill finds the host as it was;
 * a second process on the same host (a test, a tour) sees what the first one did.
 */
export class SystemdStateFile {
  readonly #path: string;
  #known: { readonly stamp: string; readonly state: SystemdState } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  read(): SystemdState {
    const stamp = this.#stamp();
    if (stamp === '') return poweredOff;
    if (this.#known?.stamp !== stamp) this.#known = { stamp, state: this.#parse() };
    return this.#known.state;
  }

  write(state: SystemdState): void {
    const temporary = `${this.#path}.new`;
    writeFileSync(temporary, JSON.stringify(state));
    renameSync(temporary, this.#path);
    this.#known = { stamp: this.#stamp(), state };
  }

  #stamp(): string {
    try {
      const { ino, size, mtimeNs } = statSync(this.#path, { bigint: true });
      return `${ino}:${size}:${mtimeNs}`;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return '';
      throw terminal('host.simulated.state', `read ${this.#path}`, error);
    }
  }

  #parse(): SystemdState {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      throw terminal('host.simulated.state', `read ${this.#path}`, error);
    }
  }
}
