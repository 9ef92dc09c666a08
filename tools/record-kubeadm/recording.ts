import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../run-step.ts';
import { baseConfiguration } from './recorded-versions.ts';

/** What a program answered and wrote for one configuration: piece by name (`manifest/etcd`, `exit/certs`). */
export type Pieces = Readonly<Record<string, unknown>>;

const directory = join(projectRoot, 'test/golden/kubeadm/testdata/recorded');

type RecordingFile = {
  /** Pieces that are not listed are as in this recording of the same version. Absent: there are no others. */
  readonly basedOn?: string;
  /** Names of pieces that the base has and this one has not. */
  readonly without?: readonly string[];
  readonly pieces: Pieces;
};

function fileOf(version: string, configuration: string): string {
  return join(directory, version, `${configuration}.yaml`);
}

function readFile(version: string, configuration: string): RecordingFile {
  return parse(readFileSync(fileOf(version, configuration), 'utf8')) as RecordingFile;
}

const bases = new Map<string, Pieces>();

function baseOf(version: string): Pieces {
  const known = bases.get(version);
  if (known !== undefined) return known;
  const { pieces } = readFile(version, baseConfiguration);
  bases.set(version, pieces);
  return pieces;
}

/** Every piece that kubeadm of `version` gave for the configuration. */
export function readRecording(version: string, configuration: string): Pieces {
  const { pieces, basedOn, without = [] } = readFile(version, configuration);
  if (basedOn === undefined) return pieces;
  const inherited = Object.entries(baseOf(version)).filter(([name]) => !without.includes(name));
  return { ...Object.fromEntries(inherited), ...pieces };
}

/** Names of the configurations that have a recording of `version`. */
export function recordedConfigurations(version: string): readonly string[] {
  return readdirSync(join(directory, version))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

/** Writes one recording; the base has to be written first. */
export function writeRecording(version: string, configuration: string, given: Pieces): void {
  const pieces = plain(given);
  const isBase = configuration === baseConfiguration;
  if (isBase) bases.set(version, pieces);
  const path = fileOf(version, configuration);
  mkdirSync(dirname(path), { recursive: true });
  const file = isBase ? { pieces: sorted(pieces) } : shortened(baseOf(version), pieces);
  writeFileSync(path, stringify(file, { lineWidth: 0, aliasDuplicateObjects: false }));
}

/** Without what is as in the base, where that is most of it. */
function shortened(base: Pieces, pieces: Pieces): RecordingFile {
  const entries = Object.entries(pieces);
  const own = entries.filter(([name, piece]) => !isDeepStrictEqual(base[name], piece));
  if (own.length > entries.length / 2) return { pieces: sorted(pieces) };
  const without = Object.keys(base).filter((name) => !(name in pieces));
  return {
    basedOn: baseConfiguration,
    ...(without.length === 0 ? {} : { without }),
    pieces: sorted(Object.fromEntries(own)),
  };
}

function sorted(pieces: Pieces): Pieces {
  return Object.fromEntries(Object.entries(pieces).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Removes recordings of configurations that are gone. */
export function removeOtherRecordings(version: string, kept: readonly string[]): void {
  for (const name of recordedConfigurations(version))
    if (!kept.includes(name)) rmSync(fileOf(version, name));
}

/** As it will be read back: nothing undefined. */
export function plain(pieces: Pieces): Pieces {
  return JSON.parse(JSON.stringify(pieces)) as Pieces;
}
