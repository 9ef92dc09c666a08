import {
  appendFileSync,
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Owner, Ownership } from '../file/ownership.ts';

const root: Owner = { uid: 0, gid: 0 };

/**
 * Owners for a host that does not run as root: a record beside the root remembers what was set,
 * by inode and birth. Whatever is not in it belongs to root, so a file that a person edits or puts
 * back by hand has the owner it would have had on a real machine.
 * The record is only appended to; other processes on the same host read what is new before each answer.
 */
export class ModelledOwnership implements Ownership {
  readonly #path: string;
  readonly #owners = new Map<string, Owner>();
  #readBytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  of(stats: BigIntStats): Owner {
    this.#catchUp();
    return this.#owners.get(keyOf(stats)) ?? root;
  }

  async set(location: string, owner: Owner): Promise<void> {
    const stats = await stat(location, { bigint: true });
    const current = this.of(stats);
    if (current.uid === owner.uid && current.gid === owner.gid) return;
    appendFileSync(this.#path, `${keyOf(stats)} ${owner.uid} ${owner.gid}\n`);
  }

  #catchUp(): void {
    const file = openSync(this.#path, 'a+', 0o600);
    try {
      const size = fstatSync(file).size;
      if (size <= this.#readBytes) return;
      const bytes = Buffer.alloc(size - this.#readBytes);
      readSync(file, bytes, 0, bytes.length, this.#readBytes);
      const whole = bytes.lastIndexOf(0x0a) + 1;
      this.#readBytes += whole;
      for (const line of bytes.subarray(0, whole).toString('latin1').split('\n')) {
        const [key = '', uid, gid] = line.split(' ');
        if (gid !== undefined) this.#owners.set(key, { uid: Number(uid), gid: Number(gid) });
      }
    } finally {
      closeSync(file);
    }
  }
}

function keyOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
