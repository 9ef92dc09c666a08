import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../errors.ts';

/** Runs `body` while no other process holds the lock file at `path`; the lock of a dead process is broken. */
export async function withLock(path: string, body: () => Promise<void>): Promise<void> {
  while (!tryLock(path)) await pause(200);
  try {
    await body();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Takes the lock file; false when a living process other than this one holds it. */
export function tryLock(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  const owner = lockOwner(path);
  if (owner !== undefined && owner !== process.pid && isAlive(owner)) return false;
  writeFileSync(path, `${process.pid}\n`);
  return true;
}

function lockOwner(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
