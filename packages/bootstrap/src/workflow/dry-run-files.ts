import { compareBytes } from '@slipway/base';
import type { FileAttributes, HostFiles, HostPath, StagedFile } from '@slipway/host';
import { parentPath, pathComponents } from '@slipway/host';

/** What a dry run did to files, in order. */
export type FileChange =
  | { readonly kind: 'write' | 'link'; readonly path: HostPath }
  | { readonly kind: 'attributes'; readonly path: HostPath; readonly mode: number }
  | { readonly kind: 'remove'; readonly path: HostPath };

/** Files of a dry run: everything that is written lands in a folder, everything else reads as it is. */
export interface DryRunFiles extends HostFiles {
  /** Changes since the last call. */
  takeChanges(): readonly FileChange[];
}

/** Nobody else looks into the folder of a dry run: it holds keys. */
const closed: FileAttributes = { mode: 0o700, uid: 0, gid: 0 };

/**
 * An overlay over `real`: a write goes to the same path below `folder`, reads see what was written, then
 * the real files. What an earlier run left in the folder is not seen, so that a run depends on the
 * machine alone.
 */
export function createDryRunFiles(real: HostFiles, folder: HostPath): DryRunFiles {
  return new OverlayFiles(real, folder);
}

class OverlayFiles implements DryRunFiles {
  readonly #real: HostFiles;
  readonly #folder: HostPath;
  /** Paths that this run wrote or made. */
  readonly #mine = new Set<HostPath>(['/']);
  readonly #removed = new Set<HostPath>();
  /** Path of the host by path of the staged file. */
  readonly #staged = new Map<HostPath, HostPath>();
  #changes: FileChange[] = [];

  constructor(real: HostFiles, folder: HostPath) {
    this.#real = real;
    this.#folder = plain(folder);
  }

  takeChanges() {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  async stat(path: HostPath) {
    const place = this.#place(path);
    return place === undefined ? undefined : this.#real.stat(place);
  }

  read(path: HostPath) {
    // What was removed fails as a missing file does, in the words of the real files.
    return this.#real.read(this.#place(path) ?? this.#shadow(path));
  }

  readLink(path: HostPath) {
    return this.#real.readLink(this.#place(path) ?? this.#shadow(path));
  }

  async list(path: HostPath) {
    const directory = plain(path);
    const real = await this.#realNames(directory);
    const below = directory === '/' ? '/' : `${directory}/`;
    const mine = [...this.#mine]
      .filter((entry) => entry !== '/' && entry.startsWith(below))
      .map((entry) => entry.slice(below.length))
      .filter((name) => !name.includes('/'));
    const names = new Set([...real, ...mine]);
    const present = [...names].filter((name) => !this.#removed.has(`${below}${name}`));
    return present.sort(compareBytes);
  }

  /** Names of the machine in a directory; none where this run replaced something else by a directory. */
  async #realNames(directory: HostPath): Promise<readonly string[]> {
    if (this.#removed.has(directory)) return [];
    if (this.#mine.has(directory)) {
      const type = (await this.#real.stat(directory))?.type;
      if (type === 'file' || type === 'other') return [];
    }
    return this.#real.list(directory);
  }

  async stage(path: HostPath, content: Uint8Array, attributes: FileAttributes) {
    const host = plain(path);
    await this.#prepareParent(host);
    const staged = await this.#real.stage(this.#shadow(host), content, attributes);
    this.#staged.set(staged.temporary, host);
    return staged;
  }

  async commit(staged: StagedFile) {
    await this.#real.commit(staged);
    const host = this.#staged.get(staged.temporary);
    this.#staged.delete(staged.temporary);
    if (host !== undefined) this.#own(host, { kind: 'write', path: host });
  }

  async discard(staged: StagedFile) {
    this.#staged.delete(staged.temporary);
    await this.#real.discard(staged);
  }

  async write(path: HostPath, content: Uint8Array, attributes: FileAttributes) {
    await this.commit(await this.stage(path, content, attributes));
  }

  async symlink(path: HostPath, target: string) {
    const host = plain(path);
    await this.#prepareParent(host);
    await this.#real.symlink(this.#shadow(host), target);
    this.#own(host, { kind: 'link', path: host });
  }

  async setAttributes(path: HostPath, attributes: FileAttributes) {
    const host = plain(path);
    await this.#copyUp(host, attributes);
    await this.#real.setAttributes(this.#shadow(host), attributes);
    this.#own(host, { kind: 'attributes', path: host, mode: attributes.mode });
  }

  async remove(path: HostPath) {
    const host = plain(path);
    if ((await this.stat(host)) === undefined) return;
    if (this.#mine.has(host)) await this.#real.remove(this.#shadow(host));
    this.#disown(host);
  }

  async makeDirectory(path: HostPath, attributes: FileAttributes) {
    const created: HostPath[] = [];
    let current = '';
    for (const name of pathComponents(path)) {
      current = `${current}/${name}`;
      if ((await this.#directoryStat(current)) !== undefined) continue;
      await this.#prepareParent(current);
      await this.#real.makeDirectory(this.#shadow(current), attributes);
      this.#removed.delete(current);
      this.#mine.add(current);
      created.push(current);
    }
    return created;
  }

  async removeDirectory(path: HostPath) {
    const host = plain(path);
    const stat = await this.stat(host);
    if (stat?.type !== 'directory' || host === '/' || (await this.list(host)).length > 0) {
      return false;
    }
    await this.#real.removeDirectory(this.#shadow(host));
    this.#disown(host);
    return true;
  }

  async removeStaleTemporaries(directory: HostPath) {
    // Leftovers of real runs are none of a dry run's business.
    const shadow = this.#shadow(directory);
    return (await this.#real.removeStaleTemporaries(shadow)).map((path) =>
      path.slice(this.#folder.length),
    );
  }

  writeRefusal(directory: HostPath) {
    return this.#real.writeRefusal(directory);
  }

  freeBytes(path: HostPath) {
    return this.#real.freeBytes(path);
  }

  watch(paths: readonly HostPath[], onChange: (path: HostPath) => void) {
    return this.#real.watch(paths, onChange);
  }

  #shadow(path: HostPath): HostPath {
    return plain(`${this.#folder}${plain(path)}`);
  }

  /** Where a path is to be read; undefined when this run removed it. */
  #place(path: HostPath): HostPath | undefined {
    const host = plain(path);
    if (this.#removed.has(host)) return undefined;
    return this.#mine.has(host) ? this.#shadow(host) : host;
  }

  /** As `stat`, with a symbolic link to a directory of the machine taken for one. */
  async #directoryStat(path: HostPath) {
    const stat = await this.stat(path);
    return stat?.type === 'file' || stat?.type === 'other' ? undefined : stat;
  }

  async #prepareParent(path: HostPath): Promise<void> {
    await this.#real.makeDirectory(this.#shadow(parentPath(path)), closed);
  }

  /** Before attributes of something real are changed: the change belongs to a copy. */
  async #copyUp(host: HostPath, attributes: FileAttributes): Promise<void> {
    if (this.#mine.has(host)) return;
    await this.#prepareParent(host);
    const stat = await this.#real.stat(host);
    if (stat?.type === 'directory') {
      await this.#real.makeDirectory(this.#shadow(host), attributes);
      return;
    }
    await this.#real.write(this.#shadow(host), await this.read(host), attributes);
  }

  #own(path: HostPath, change: FileChange): void {
    this.#removed.delete(path);
    this.#mine.add(path);
    this.#changes.push(change);
  }

  #disown(path: HostPath): void {
    this.#mine.delete(path);
    this.#removed.add(path);
    this.#changes.push({ kind: 'remove', path });
  }
}

/** One spelling of every path. */
function plain(path: HostPath): HostPath {
  return `/${pathComponents(path).join('/')}`;
}
