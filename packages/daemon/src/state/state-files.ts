import { describeError, TerminalError } from '@slipway/base';
import type { Host, HostPath } from '@slipway/host';
import type { DaemonErrorCode } from '../errors.ts';

const privateFile = { mode: 0o600, uid: 0, gid: 0 };
const privateDirectory = { mode: 0o700, uid: 0, gid: 0 };
const unreadable: DaemonErrorCode = 'daemon.state-unreadable';

/** The daemon's own records on the host: small JSON files, replaced atomically and synced. */
export class StateFiles {
  readonly #host: Host;
  readonly #directory: HostPath;

  /** `directory` is created at the first write, with mode 0700. */
  constructor(host: Host, directory: HostPath) {
    this.#host = host;
    this.#directory = directory;
  }

  /** Folder of the records. */
  get directory(): HostPath {
    return this.#directory;
  }

  /** Absolute path of the record `name`. */
  path(name: string): HostPath {
    return `${this.#directory}/${name}`;
  }

  /** The record, or undefined when there is none. Throws `daemon.state-unreadable` when it is not JSON. */
  async readJson<T>(name: string): Promise<T | undefined> {
    const path = this.path(name);
    const content = await this.readBytes(name);
    if (content === undefined) return undefined;
    try {
      return JSON.parse(new TextDecoder().decode(content)) as T;
    } catch (error) {
      const message = `read ${path}: ${describeError(error)}`;
      throw new TerminalError(message, { code: unreadable, cause: error });
    }
  }

  async writeJson(name: string, value: unknown): Promise<void> {
    await this.writeBytes(name, new TextEncoder().encode(`${JSON.stringify(value)}\n`));
  }

  async readBytes(name: string): Promise<Uint8Array | undefined> {
    const path = this.path(name);
    if ((await this.#host.files.stat(path)) === undefined) return undefined;
    return this.#host.files.read(path);
  }

  async writeBytes(name: string, content: Uint8Array): Promise<void> {
    const path = this.path(name);
    const directory = path.slice(0, path.lastIndexOf('/'));
    if ((await this.#host.files.stat(directory)) === undefined) {
      await this.#host.files.makeDirectory(directory, privateDirectory);
    }
    await this.#host.files.write(path, content, privateFile);
  }

  async remove(name: string): Promise<void> {
    await this.#host.files.remove(this.path(name));
  }

  list(name: string): Promise<readonly string[]> {
    return this.#host.files.list(this.path(name));
  }
}
