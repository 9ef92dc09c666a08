import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { isJsonObject, UserError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';
import { makePrivateDirectory, readOptional, writePrivateFile } from './private-file.ts';
import type { ClusterPaths, ClusterRecord } from './settings.ts';

// What may be in a directory that is not yet a cluster's: traces of starting one.
const harmless = new Set(['up.log', 'kubectl-cache', 'lost+found']);

/** Creates the data directory where it is missing; a UserError says why that cannot be. */
export async function makeDataDirectory(path: string): Promise<void> {
  try {
    await makePrivateDirectory(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code: CliErrorCode = 'cli.up.unusable-data';
    throw new UserError(`open data directory ${path}: it cannot be written`, { code, cause });
  }
}

/**
 * Reads what the data directory remembers; undefined for a new one. A directory with somebody else's
 * files is refused with a UserError.
 */
export async function readRecord(paths: ClusterPaths): Promise<ClusterRecord | undefined> {
  const text = await readOptional(paths.record);
  if (text !== undefined) return parseRecord(text, paths.record);
  const strangers = (await readdir(paths.data)).filter((name) => !harmless.has(name));
  if (strangers.length === 0) return undefined;
  throw foreign(`open data directory ${paths.data}: it holds ${strangers.slice(0, 3).join(', ')}`);
}

/** Remembers what the cluster is. */
export async function saveRecord(paths: ClusterPaths, record: ClusterRecord): Promise<void> {
  await writePrivateFile(paths.record, `${JSON.stringify(record, undefined, 2)}\n`);
}

function parseRecord(text: string, path: string): ClusterRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw foreign(`read ${path}: not JSON`, cause);
  }
  if (!isClusterRecord(value)) throw foreign(`read ${path}: not of this version of slipway`);
  return value;
}

function isClusterRecord(value: unknown): value is ClusterRecord {
  return (
    isJsonObject(value) &&
    value['formatVersion'] === 1 &&
    Number.isInteger(value['nodes']) &&
    Number.isInteger(value['controlPlanes']) &&
    (value['hosts'] === 'simulated' || value['hosts'] === 'nspawn')
  );
}

function foreign(message: string, cause?: unknown): UserError {
  const code: CliErrorCode = 'cli.up.foreign-data';
  return new UserError(message, { code, cause });
}
