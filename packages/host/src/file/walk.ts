import { readlinkSync } from 'node:fs';
import { errnoOf, fileError, terminal } from '../errors.ts';
import type { HostPath } from '../host.ts';
import { pathOf } from './host-path.ts';
import { PinnedDirectory } from './pinned-directory.ts';

/**
 * Where a walk ended. `directory` is open and belongs to the caller: the directory asked for when
 * `found`, else the last one that exists.
 */
export type Walk =
  | { readonly kind: 'found'; readonly directory: PinnedDirectory }
  | {
      readonly kind: 'missing';
      readonly directory: PinnedDirectory;
      /** Names that do not exist, outermost first. */
      readonly rest: readonly string[];
      /** True when a symbolic link led here: creating the rest would be a guess. */
      readonly dangling: boolean;
    }
  | {
      readonly kind: 'blocked';
      readonly directory: PinnedDirectory;
      /** The component that is neither a directory nor a symbolic link. */
      readonly path: HostPath;
    };

/** Told each name that is looked up and the open directory it is looked up in. */
export type WalkObserver = (directory: PinnedDirectory, name: string) => void;

type Pending = { readonly name: string; readonly fromLink: boolean };

/** As the kernel's own limit (`path_resolution(7)`). */
const maxLinks = 40;

/**
 * Resolves a directory inside `root` one component at a time, as chroot would: an absolute link
 * starts again at the root, `..` stops at it. Symbolic links are read and resolved here, never by
 * the kernel, so nothing leads out. System calls are synchronous: each is one directory look-up.
 */
export function walk(root: string, components: readonly string[], observe?: WalkObserver): Walk {
  const stack = [PinnedDirectory.open(root, '/', 'follow')];
  try {
    const walk = new Walker(stack, components, observe).run();
    stack.splice(stack.indexOf(walk.directory), 1);
    return walk;
  } finally {
    for (const directory of stack) directory[Symbol.dispose]();
  }
}

class Walker {
  readonly #stack: PinnedDirectory[];
  readonly #asked: readonly string[];
  readonly #observe: WalkObserver | undefined;
  #pending: readonly Pending[];
  #links = 0;

  constructor(stack: PinnedDirectory[], asked: readonly string[], observe?: WalkObserver) {
    this.#stack = stack;
    this.#asked = asked;
    this.#observe = observe;
    this.#pending = asked.map((name) => ({ name, fromLink: false }));
  }

  run(): Walk {
    for (;;) {
      const [next, ...rest] = this.#pending;
      if (next === undefined) return { kind: 'found', directory: this.#top() };
      this.#pending = rest;
      const end = this.#enter(next);
      if (end !== undefined) return end;
    }
  }

  #top(): PinnedDirectory {
    const top = this.#stack.at(-1);
    if (top === undefined) throw new RangeError('walk without a directory');
    return top;
  }

  #enter(next: Pending): Walk | undefined {
    if (next.name === '' || next.name === '.') return undefined;
    if (next.name === '..') {
      if (this.#stack.length > 1) this.#stack.pop()?.[Symbol.dispose]();
      return undefined;
    }
    const top = this.#top();
    const path = top.path === '/' ? `/${next.name}` : `${top.path}/${next.name}`;
    this.#observe?.(top, next.name);
    try {
      this.#stack.push(PinnedDirectory.open(top.entry(next.name), path, 'refuse-link'));
      return undefined;
    } catch (error) {
      return this.#refused(next, path, error);
    }
  }

  #refused(next: Pending, path: HostPath, error: unknown): Walk | undefined {
    const errno = errnoOf(error);
    const directory = this.#top();
    if (errno === 'ENOENT') {
      const rest = [next, ...this.#pending];
      const dangling = rest.some((pending) => pending.fromLink);
      return { kind: 'missing', directory, rest: rest.map(({ name }) => name), dangling };
    }
    if (errno !== 'ENOTDIR' && errno !== 'ELOOP') throw fileError('resolve', path, error);
    const target = readLinkOf(directory, next.name);
    if (target === undefined) return { kind: 'blocked', directory, path };
    this.#follow(target);
    return undefined;
  }

  #follow(target: string): void {
    this.#links += 1;
    if (this.#links > maxLinks) {
      const asked = pathOf(this.#asked);
      throw terminal('host.file.too-many-links', `resolve ${asked}: too many symbolic links`);
    }
    if (target.startsWith('/')) {
      for (const left of this.#stack.splice(1)) left[Symbol.dispose]();
    }
    const names = target.split('/').map((name) => ({ name, fromLink: true }));
    this.#pending = [...names, ...this.#pending];
  }
}

function readLinkOf(directory: PinnedDirectory, name: string): string | undefined {
  try {
    return readlinkSync(directory.entry(name));
  } catch {
    return undefined;
  }
}
