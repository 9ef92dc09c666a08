import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { VirtualClock } from '@slipway/base';
import { createRootFolderFiles, type HostFiles } from '@slipway/host';

/** A machine in a temporary folder, and a clock that stands at now. */
export class PkiFolder implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'slipway-certificates-'));
  readonly files: HostFiles = this.openFiles();
  readonly clock = new VirtualClock(Math.floor(Date.now() / 1000) * 1000);

  /** Puts back what `snapshot` read, at once and without care for a crash. */
  restore(snapshot: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(snapshot)) {
      mkdirSync(dirname(this.path(path)), { recursive: true });
      writeFileSync(this.path(path), text, { mode: path.endsWith('.crt') ? 0o644 : 0o600 });
    }
  }

  /** The files as a process that starts now sees them: it knows nothing of what an earlier one staged. */
  openFiles(): HostFiles {
    const files = createRootFolderFiles({ root: this.root, userId: process.getuid?.() ?? 0 });
    if (files === undefined) throw new Error(`${this.root} is gone`);
    return files;
  }

  /** As this process sees it. */
  path(path: string): string {
    return join(this.root, path);
  }

  text(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  mode(path: string): string {
    return (statSync(this.path(path)).mode & 0o777).toString(8);
  }

  /** Content by path of every file below a folder. */
  async snapshot(directory: string): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const name of await this.files.list(directory)) {
      const path = `${directory}/${name}`;
      const stat = await this.files.stat(path);
      if (stat?.type === 'directory') Object.assign(found, await this.snapshot(path));
      else found[path] = this.text(path);
    }
    return found;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export class Crash extends Error {}

/**
 * Files of a process that is killed at its `step`-th change (counted from 0): that change and every later
 * one does not happen.
 */
export function crashingFiles(files: HostFiles, step: number): HostFiles {
  const changes = ['stage', 'commit', 'discard', 'write', 'remove', 'makeDirectory'] as const;
  let left = step;
  const crash = () => {
    left -= 1;
    if (left < 0) throw new Crash(`killed at change ${step}`);
  };
  return new Proxy(files, {
    get(target, name) {
      // `write` is `stage` and `commit`, and a kill may come between the two.
      if (name === 'write') {
        const write: HostFiles['write'] = async (path, content, attributes) => {
          crash();
          const staged = await target.stage(path, content, attributes);
          crash();
          await target.commit(staged);
        };
        return write;
      }
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        if (changes.some((change) => change === name)) crash();
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}
