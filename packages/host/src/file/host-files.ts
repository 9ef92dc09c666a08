import { type Clock, systemClock } from '@slipway/base';
import type { FileAttributes, HostFiles, HostPath, StagedFile } from '../host.ts';
import { watchPaths } from '../watch/watch-paths.ts';
import { commitFile, discardFile, replaceLink, stageFile } from './atomic-write.ts';
import { removeEmptyDirectory, removePath, setAttributesOf } from './change.ts';
import { listDirectory, readLinkAt, readPath, statPath } from './inspect.ts';
import type { Labels } from './labels.ts';
import { makeDirectories } from './make-directory.ts';
import type { Ownership } from './ownership.ts';
import type { FileContext } from './parent.ts';
import { freeBytesAt, writeRefusalOf } from './refusal.ts';
import { removeTemporaries } from './stale-temporaries.ts';

export type HostFilesOptions = {
  /** Existing folder that is the host's `/`. */
  readonly root: string;
  readonly ownership: Ownership;
  readonly labels: Labels;
  /** Folders that stand for the kernel's own file systems where the root has none; default none. */
  readonly kernelDirectories?: readonly HostPath[];
  /** For trying again to watch when the kernel has no watch to spare; default the machine's clock. */
  readonly clock?: Clock;
};

/** The files below `root`, and nothing else of the machine. */
export function createHostFiles(options: HostFilesOptions): HostFiles {
  return new ConfinedFiles(options);
}

class ConfinedFiles implements HostFiles {
  readonly #context: FileContext;
  readonly #clock: Clock;
  /** Temporaries that this process staged and has not used yet: no leftovers. */
  readonly #alive = new Set<HostPath>();

  constructor(options: HostFilesOptions) {
    const { root, ownership, labels, kernelDirectories = [] } = options;
    this.#context = { root, ownership, labels, kernelDirectories };
    this.#clock = options.clock ?? systemClock;
  }

  stat(path: HostPath) {
    return statPath(this.#context, path);
  }

  read(path: HostPath) {
    return readPath(this.#context, path);
  }

  readLink(path: HostPath) {
    return readLinkAt(this.#context, path);
  }

  list(path: HostPath) {
    return listDirectory(this.#context, path);
  }

  async stage(path: HostPath, content: Uint8Array, attributes: FileAttributes) {
    const staged = await stageFile(this.#context, path, content, attributes);
    this.#alive.add(staged.temporary);
    return staged;
  }

  async commit(staged: StagedFile) {
    await commitFile(this.#context, staged);
    this.#alive.delete(staged.temporary);
  }

  async discard(staged: StagedFile) {
    await discardFile(this.#context, staged);
    this.#alive.delete(staged.temporary);
  }

  async write(path: HostPath, content: Uint8Array, attributes: FileAttributes) {
    const staged = await this.stage(path, content, attributes);
    try {
      await this.commit(staged);
    } catch (error) {
      await this.discard(staged);
      throw error;
    }
  }

  symlink(path: HostPath, target: string) {
    return replaceLink(this.#context, path, target);
  }

  setAttributes(path: HostPath, attributes: FileAttributes) {
    return setAttributesOf(this.#context, path, attributes);
  }

  remove(path: HostPath) {
    return removePath(this.#context, path);
  }

  makeDirectory(path: HostPath, attributes: FileAttributes) {
    return makeDirectories(this.#context, path, attributes);
  }

  removeDirectory(path: HostPath) {
    return removeEmptyDirectory(this.#context, path);
  }

  removeStaleTemporaries(directory: HostPath) {
    return removeTemporaries(this.#context, directory, this.#alive);
  }

  writeRefusal(directory: HostPath) {
    return writeRefusalOf(this.#context, directory);
  }

  freeBytes(path: HostPath) {
    return freeBytesAt(this.#context, path);
  }

  async watch(paths: readonly HostPath[], onChange: (path: HostPath) => void) {
    return watchPaths({ root: this.#context.root, paths, onChange, clock: this.#clock });
  }
}
