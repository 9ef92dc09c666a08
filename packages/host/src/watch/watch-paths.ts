import { type BigIntStats, type FSWatcher, fstatSync, watch } from 'node:fs';
import type { Clock } from '@slipway/base';
import { pathComponents } from '../file/host-path.ts';
import type { PinnedDirectory } from '../file/pinned-directory.ts';
import { walk } from '../file/walk.ts';
import type { HostPath } from '../host.ts';

export type WatchOptions = {
  readonly root: string;
  readonly paths: readonly HostPath[];
  readonly onChange: (path: HostPath) => void;
  readonly clock: Clock;
};

/** A directory that the way to a path runs through, and the name looked up in it; `''` means any name. */
type Step = { readonly directory: string; readonly name: string };

/** How long to wait when the kernel had no watch to spare (`fs.inotify.max_user_watches`). */
const retryMs = 1000;

/** A way that changes under each look is left to the events of its own changes. */
const maxLooks = 16;

/**
 * Watches every directory on the way to each path, symbolic links included, so that it does not
 * matter whether the path exists, or which of its parents is made, removed or replaced. A way is
 * walked again after each event on it, until two walks agree with all their directories watched:
 * what happened before is seen by the caller, what happens later is an event.
 */
export function watchPaths(options: WatchOptions): AsyncDisposable {
  return new PathWatch(options);
}

class PathWatch implements AsyncDisposable {
  readonly #options: WatchOptions;
  readonly #armed = new Map<string, FSWatcher>();
  readonly #ways = new Map<HostPath, readonly Step[]>();
  #interests = new Map<string, Map<string, Set<HostPath>>>();
  readonly #touched = new Set<HostPath>();
  #flush: NodeJS.Immediate | undefined;
  #retry: Disposable | undefined;
  #waiting: ReadonlySet<HostPath> = new Set();
  readonly #closing = new AbortController();

  constructor(options: WatchOptions) {
    this.#options = options;
    for (const path of new Set(options.paths)) this.#ways.set(path, this.#settle(path));
    this.#rebuild();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    if (this.#flush !== undefined) clearImmediate(this.#flush);
    this.#retry?.[Symbol.dispose]();
    for (const watcher of this.#armed.values()) watcher.close();
    this.#armed.clear();
  }

  #settle(path: HostPath): readonly Step[] {
    let way = this.#look(path);
    for (let looks = 1; looks < maxLooks; looks += 1) {
      const again = this.#look(path);
      if (sameWay(way, again)) return again;
      way = again;
    }
    this.#lookLater([path]);
    return way;
  }

  #look(path: HostPath): readonly Step[] {
    const way: Step[] = [];
    const observe = (directory: PinnedDirectory, name: string): void => {
      way.push({ directory: this.#arm(directory, path), name });
    };
    try {
      const found = walk(this.#options.root, pathComponents(path), observe);
      using directory = found.directory;
      if (found.kind === 'found') observe(directory, '');
    } catch {
      // Links in a circle or a directory that may not be searched: what was seen so far is watched.
    }
    return way;
  }

  #arm(directory: PinnedDirectory, path: HostPath): string {
    const key = identityOf(fstatSync(directory.fd, { bigint: true }));
    if (this.#armed.has(key)) return key;
    try {
      // `/.` so that an event of the directory itself carries a name no entry can have.
      const watcher = watch(`${directory.self}/.`, { persistent: false }, (event, name) =>
        this.#happened(key, event, name),
      );
      watcher.on('error', () => this.#lost(key));
      this.#armed.set(key, watcher);
    } catch {
      this.#lookLater([path]);
    }
    return key;
  }

  #happened(key: string, event: string, name: string | null): void {
    if (name !== null && name !== '.') {
      const interests = this.#interests.get(key);
      this.#touch([...(interests?.get(name) ?? []), ...(interests?.get('') ?? [])]);
      return;
    }
    // Removed or moved away: the watch is of no more use, and a new directory may get its identity.
    if (event === 'rename') this.#lost(key);
    else this.#touch(this.#through(key));
  }

  #lost(key: string): void {
    this.#armed.get(key)?.close();
    this.#armed.delete(key);
    this.#touch(this.#through(key));
  }

  #through(key: string): readonly HostPath[] {
    return [...(this.#interests.get(key)?.values() ?? [])].flatMap((paths) => [...paths]);
  }

  #touch(paths: readonly HostPath[]): void {
    if (this.#closing.signal.aborted) return;
    for (const path of paths) this.#touched.add(path);
    if (this.#touched.size === 0) return;
    this.#flush ??= setImmediate(() => this.#tell());
  }

  #tell(): void {
    this.#flush = undefined;
    const paths = [...this.#touched];
    this.#touched.clear();
    let changed = false;
    for (const path of paths) {
      const way = this.#settle(path);
      changed ||= !sameWay(way, this.#ways.get(path) ?? []);
      this.#ways.set(path, way);
    }
    if (changed) this.#rebuild();
    for (const path of paths) {
      if (!this.#closing.signal.aborted) this.#options.onChange(path);
    }
  }

  #lookLater(paths: readonly HostPath[]): void {
    if (this.#closing.signal.aborted) return;
    this.#retry?.[Symbol.dispose]();
    const waiting = new Set([...paths, ...this.#waiting]);
    this.#waiting = waiting;
    this.#retry = this.#options.clock.timer(retryMs, () => {
      this.#waiting = new Set();
      this.#touch([...waiting]);
    });
  }

  #rebuild(): void {
    const interests = new Map<string, Map<string, Set<HostPath>>>();
    for (const [path, way] of this.#ways) {
      for (const { directory, name } of way) {
        const names = interests.get(directory) ?? new Map<string, Set<HostPath>>();
        interests.set(directory, names.set(name, (names.get(name) ?? new Set()).add(path)));
      }
    }
    this.#interests = interests;
    for (const [key, watcher] of this.#armed) {
      if (interests.has(key)) continue;
      watcher.close();
      this.#armed.delete(key);
    }
  }
}

/** Inode numbers are used again; the time of birth tells them apart where the file system keeps it. */
function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

function sameWay(left: readonly Step[], right: readonly Step[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((step, index) => {
    const other = right[index];
    return step.directory === other?.directory && step.name === other.name;
  });
}
