import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '@slipway/base';
import type { FileAttributes, Host, HostPath, UnitStatus } from '../host.ts';

/** One rule that every host keeps. */
export type ContractCase = {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<void>;
};

export const readable: FileAttributes = { mode: 0o644, uid: 0, gid: 0 };
export const folder: FileAttributes = { mode: 0o755, uid: 0, gid: 0 };
export const etc = '/etc/systemd/system';
export const vendor = '/usr/lib/systemd/system';

/** What real systemd may still be busy with; the simulated one never is. */
const patienceMs = 5000;

let count = 0;

/** A host to try a rule on, with units of its own that are gone afterwards. */
export class Bench {
  readonly host: Host;
  readonly #paths: HostPath[] = [];
  readonly #units: string[] = [];

  constructor(host: Host) {
    this.host = host;
  }

  /** A unit name nobody else uses. */
  name(type = 'service'): string {
    count += 1;
    const unit = `slipway-contract-${process.pid}-${count}.${type}`;
    this.#units.push(unit);
    return unit;
  }

  /** Writes a file that is removed after the case. */
  async file(path: HostPath, content: string, attributes = readable): Promise<HostPath> {
    await this.host.files.makeDirectory(path.slice(0, path.lastIndexOf('/')), folder);
    await this.host.files.write(path, new TextEncoder().encode(content), attributes);
    this.#paths.push(path);
    return path;
  }

  /** Writes a unit file and returns the unit's name. */
  async unit(content: string, directory = etc, unit = this.name()): Promise<string> {
    await this.file(`${directory}/${unit}`, content);
    return unit;
  }

  status(unit: string): Promise<UnitStatus> {
    return this.host.systemd.status(unit);
  }

  /** The status once it has `activeState`. */
  async settled(unit: string, activeState: string): Promise<UnitStatus> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await pause(20)) {
      const status = await this.status(unit);
      if (status.activeState === activeState) return status;
    }
    throw new assert.AssertionError({ message: `${unit} did not become ${activeState}` });
  }

  async cleanUp(): Promise<void> {
    const { files, systemd } = this.host;
    for (const unit of this.#units) {
      await systemd.stop(unit).catch(() => undefined);
      await systemd.unmask(unit).catch(() => undefined);
      await systemd.disable(unit).catch(() => undefined);
    }
    for (const path of this.#paths) await files.remove(path);
    for (const unit of this.#units) {
      for (const directory of [etc, vendor]) await files.removeDirectory(`${directory}/${unit}.d`);
    }
    await systemd.daemonReload();
  }
}

/** Expects a TerminalError of systemd whose text matches. */
export async function refuses(verb: Promise<unknown>, words: RegExp): Promise<void> {
  await assert.rejects(verb, (error) => {
    assert.ok(error instanceof Error && 'code' in error, String(error));
    assert.equal(error.code, 'host.systemd.failed', describeError(error));
    assert.match(describeError(error), words);
    return true;
  });
}

export const sleeper = `[Service]
ExecStart=/bin/sleep infinity

[Install]
WantedBy=multi-user.target
`;
