import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../run-step.ts';

/** What a program answered and wrote for one configuration: piece by name (`manifest/etcd`, `exit/certs`). */
export type Pieces = Readonly<Record<string, unknown>>;

/** The minors whose kubeadm is recorded, oldest first. */
export const recordedVersions: readonly string[] = ['v1.36.3', 'v1.37.2'];

/** The recording that the others of its version leave equal pieces to. */
export const baseConfiguration = 'ipv4-default';

const directory = join(projectRoot, 'test/golden/kubeadm/testdata/recorded');

type RecordingFile = {
  /** Names of the pieces that are as in the base recording. */
  readonly asBase?: readonly string[];
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
  const { pieces, asBase = [] } = readFile(version, configuration);
  const inherited = asBase.map((name) => [name, baseOf(version)[name]] as const);
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
  const base = isBase ? {} : baseOf(version);
  const names = Object.keys(pieces).sort((a, b) => (a < b ? -1 : 1));
  const asBase = names.filter(
    (name) => name in base && isDeepStrictEqual(base[name], pieces[name]),
  );
  const own = names.filter((name) => !asBase.includes(name));
  const file: RecordingFile = {
    ...(asBase.length === 0 ? {} : { asBase }),
    pieces: Object.fromEntries(own.map((name) => [name, pieces[name]])),
  };
  const path = fileOf(version, configuration);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stringify(file, { lineWidth: 0, aliasDuplicateObjects: false }));
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
