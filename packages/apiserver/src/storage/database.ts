import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TerminalError, UserError } from '@slipway/base';
import { apiserverErrorCodes } from '../errors.ts';

/** Version of the tables below; a file with a higher one is refused. */
const schemaVersion = 1;

const tables = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (
  resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  revision INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (resource, namespace, name));
CREATE TABLE IF NOT EXISTS history (
  revision INTEGER PRIMARY KEY, resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  type TEXT NOT NULL, body TEXT NOT NULL, previous_revision INTEGER, previous TEXT, written INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS history_by_resource ON history (resource, revision);
`;

function refusal(path: string, error: unknown): Error {
  const code = (error as { errcode?: number }).errcode ?? 0;
  const primary = code & 0xff;
  if (primary === 5 || primary === 6) {
    const message = `open storage ${path}: it is in use by another process`;
    return new UserError(message, { code: apiserverErrorCodes.storageLocked, cause: error });
  }
  if (primary === 11 || primary === 26) {
    const message = `open storage ${path}: the file is damaged or not a database`;
    return new TerminalError(message, { code: apiserverErrorCodes.storageCorrupt, cause: error });
  }
  if (error instanceof UserError || error instanceof TerminalError) return error;
  return new UserError(`open storage ${path}`, {
    code: apiserverErrorCodes.storageOpen,
    cause: error,
  });
}

function checkVersion(database: DatabaseSync, path: string): void {
  const row = database.prepare('PRAGMA user_version').get();
  const found = Number(row?.['user_version'] ?? 0);
  if (found > schemaVersion) {
    throw new UserError(
      `open storage ${path}: schema version ${found} is newer than ${schemaVersion}, the newest this program knows`,
      { code: apiserverErrorCodes.storageNewer },
    );
  }
}

function checkPages(database: DatabaseSync, path: string): void {
  const clean = readMeta(database, 'clean');
  if (clean !== '0') return;
  const answer = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (answer !== 'ok') {
    throw new TerminalError(`open storage ${path}: the file is damaged: ${String(answer)}`, {
      code: apiserverErrorCodes.storageCorrupt,
    });
  }
}

/** One value of the `meta` table. */
export function readMeta(database: DatabaseSync, key: string): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
  return value === undefined ? undefined : String(value);
}

/** Writes one value of the `meta` table. */
export function writeMeta(database: DatabaseSync, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

/**
 * Opens the file for this process alone, with WAL and a sync per commit, and creates its tables.
 * Throws UserError when it is locked, of a newer schema or cannot be opened, TerminalError when damaged.
 * After an unclean end its pages are checked first.
 */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA auto_vacuum=INCREMENTAL');
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY');
    // A checkpoint stops the server for its syncs: rather a WAL of up to 16 MiB than one every 4 MiB.
    database.exec('PRAGMA wal_autocheckpoint=4000');
    checkVersion(database, path);
    database.exec('BEGIN IMMEDIATE');
    database.exec(tables);
    database.exec(`PRAGMA user_version=${schemaVersion}`);
    database.exec('COMMIT');
    checkPages(database, path);
    writeMeta(database, 'clean', '0');
    return database;
  } catch (error) {
    database?.close();
    throw refusal(path, error);
  }
}
