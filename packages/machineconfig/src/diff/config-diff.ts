import { compareBytes } from '@slipway/base';
import {
  fileGroup,
  fileMode,
  fileUser,
  type IgnitionConfig,
  type IgnitionFile,
  type IgnitionOwner,
  type IgnitionUnit,
} from '@slipway/ignition';
import { sameContents } from './file-contents.ts';

/** What one host shall have: the readable form of a rendered MachineConfig. */
export type HostConfig = {
  readonly ignition: IgnitionConfig;
  readonly kernelArguments: readonly string[];
};

export type ChangeKind = 'added' | 'removed' | 'changed';

export type FileChange = {
  readonly path: string;
  readonly change: ChangeKind;
  /** What differs, where the file is in both. */
  readonly fields: readonly ('contents' | 'mode' | 'owner')[];
  readonly before?: IgnitionFile;
  readonly after?: IgnitionFile;
};

export type UnitChange = {
  readonly name: string;
  readonly change: ChangeKind;
  readonly fields: readonly ('contents' | 'enabled' | 'mask' | 'dropins')[];
  readonly dropins: readonly { readonly name: string; readonly change: ChangeKind }[];
  readonly before?: IgnitionUnit;
  readonly after?: IgnitionUnit;
};

/** A change of an unordered or ordered list of words. */
export type ListChange = {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

/** Differences between two configurations of a host, each list sorted by name in byte order. */
export type ConfigDiff = {
  readonly files: readonly FileChange[];
  readonly units: readonly UnitChange[];
  /** Keys of user boot; undefined: unchanged. */
  readonly sshKeys?: ListChange;
  /** Undefined: unchanged. A change of order is a change. */
  readonly kernelArguments?: ListChange;
};

type Pair<T> = { readonly key: string; readonly before?: T; readonly after?: T };

function pairs<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): readonly Pair<T>[] {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const recent = new Map(after.map((item) => [keyOf(item), item]));
  const keys = [...new Set([...old.keys(), ...recent.keys()])].sort(compareBytes);
  return keys.map((key) => {
    const was = old.get(key);
    const is = recent.get(key);
    return {
      key,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
    };
  });
}

function changeKind<T>(pair: Pair<T>): ChangeKind {
  if (pair.before === undefined) return 'added';
  return pair.after === undefined ? 'removed' : 'changed';
}

function ownerKey(file: IgnitionFile): string {
  const one = ({ id, name }: IgnitionOwner) =>
    name === undefined || name === 'root' ? `id ${id ?? 0}` : `name ${name}`;
  return `${one(fileUser(file))} ${one(fileGroup(file))}`;
}

function fileFields(before: IgnitionFile, after: IgnitionFile): FileChange['fields'] {
  const fields: FileChange['fields'][number][] = [];
  if (!sameContents(before, after)) fields.push('contents');
  if (fileMode(before) !== fileMode(after)) fields.push('mode');
  if (ownerKey(before) !== ownerKey(after)) fields.push('owner');
  return fields;
}

function diffFiles(before: IgnitionConfig, after: IgnitionConfig): readonly FileChange[] {
  return pairs(before.files, after.files, (file) => file.path).flatMap(({ key, ...pair }) => {
    const { before: was, after: is } = pair;
    const fields = was !== undefined && is !== undefined ? fileFields(was, is) : undefined;
    if (fields?.length === 0) return [];
    return [{ path: key, change: changeKind({ key, ...pair }), fields: fields ?? [], ...pair }];
  });
}

function diffDropins(before: IgnitionUnit | undefined, after: IgnitionUnit | undefined) {
  return pairs(before?.dropins ?? [], after?.dropins ?? [], (dropin) => dropin.name)
    .filter((pair) => pair.before?.contents !== pair.after?.contents)
    .map((pair) => ({ name: pair.key, change: changeKind(pair) }));
}

function unitFields(
  before: IgnitionUnit,
  after: IgnitionUnit,
  dropins: UnitChange['dropins'],
): UnitChange['fields'] {
  const fields: UnitChange['fields'][number][] = [];
  if ((before.contents ?? '') !== (after.contents ?? '')) fields.push('contents');
  if (before.enabled !== after.enabled) fields.push('enabled');
  if ((before.mask ?? false) !== (after.mask ?? false)) fields.push('mask');
  if (dropins.length > 0) fields.push('dropins');
  return fields;
}

function diffUnits(before: IgnitionConfig, after: IgnitionConfig): readonly UnitChange[] {
  return pairs(before.units, after.units, (unit) => unit.name).flatMap(({ key, ...pair }) => {
    const dropins = diffDropins(pair.before, pair.after);
    const { before: was, after: is } = pair;
    const fields = was !== undefined && is !== undefined ? unitFields(was, is, dropins) : undefined;
    if (fields?.length === 0) return [];
    return [
      { name: key, change: changeKind({ key, ...pair }), fields: fields ?? [], dropins, ...pair },
    ];
  });
}

function listChange(before: readonly string[], after: readonly string[]): ListChange {
  return {
    before,
    after,
    added: after.filter((item) => !before.includes(item)),
    removed: before.filter((item) => !after.includes(item)),
  };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function diffKeys(before: IgnitionConfig, after: IgnitionConfig): ListChange | undefined {
  const was = before.sshAuthorizedKeys;
  const is = after.sshAuthorizedKeys;
  // An empty list manages the keys (and removes foreign ones); an absent one leaves them alone.
  if ((was === undefined) === (is === undefined) && sameList(was ?? [], is ?? [])) return undefined;
  return listChange(was ?? [], is ?? []);
}

/** How `after` differs from `before`, by what a host would see: spelling that means the same is no difference. */
export function diffConfigs(before: HostConfig, after: HostConfig): ConfigDiff {
  const sshKeys = diffKeys(before.ignition, after.ignition);
  const kernelArguments = sameList(before.kernelArguments, after.kernelArguments)
    ? undefined
    : listChange(before.kernelArguments, after.kernelArguments);
  return {
    files: diffFiles(before.ignition, after.ignition),
    units: diffUnits(before.ignition, after.ignition),
    ...(sshKeys === undefined ? {} : { sshKeys }),
    ...(kernelArguments === undefined ? {} : { kernelArguments }),
  };
}

/** True when nothing differs. */
export function isEmptyDiff(diff: ConfigDiff): boolean {
  return (
    diff.files.length === 0 &&
    diff.units.length === 0 &&
    diff.sshKeys === undefined &&
    diff.kernelArguments === undefined
  );
}
