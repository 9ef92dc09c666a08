import {
  authorizedKeysText,
  decodeContents,
  dropinPath,
  emptyIgnitionConfig,
  fileGroup,
  fileMode,
  fileUser,
  type IgnitionFile,
  type IgnitionOwner,
  type IgnitionUnit,
  unitPath,
} from '@slipway/ignition';
import type { ChangeKind, ConfigDiff, FileChange, ListChange, UnitChange } from './config-diff.ts';
import { isSecretFile } from './secret-files.ts';
import { type DiffLine, unifiedDiff } from './unified-diff.ts';

export type DiffLinesOptions = {
  /** Show the contents of secret files as well. Default false. */
  readonly showSecrets?: boolean;
};

/**
 * Differences of two configurations as people read them: decoded contents as unified diffs, and modes,
 * owners, enablement, keys and kernel arguments in words. Empty when nothing differs.
 */
export function diffLines(diff: ConfigDiff, options: DiffLinesOptions = {}): readonly DiffLine[] {
  return [
    ...diff.files.flatMap((change) => fileLines(change, options.showSecrets === true)),
    ...diff.units.flatMap(unitLines),
    ...(diff.sshKeys === undefined ? [] : keyLines(diff.sshKeys)),
    ...(diff.kernelArguments === undefined ? [] : argumentLines(diff.kernelArguments)),
  ];
}

function title(subject: string, change: ChangeKind, fields: readonly string[]): DiffLine {
  const what = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return { kind: 'title', text: `${subject} (${change}${what})` };
}

/** A value in one line, as removed and added where it differs. */
function valueLines(
  name: string,
  before: string | undefined,
  after: string | undefined,
): readonly DiffLine[] {
  if (before === after) return [];
  return [
    ...(before === undefined ? [] : [{ kind: 'removed', text: `-${name}: ${before}` } as const]),
    ...(after === undefined ? [] : [{ kind: 'added', text: `+${name}: ${after}` } as const]),
  ];
}

type Text = string | undefined;

/** A unified diff with the names of both sides; a side that does not exist is `/dev/null`. */
function contentLines(path: string, before: Text, after: Text): readonly DiffLine[] {
  const hunks = unifiedDiff(before ?? '', after ?? '');
  if (hunks.length === 0) return [];
  return [
    { kind: 'names', text: before === undefined ? '--- /dev/null' : `--- before${path}` },
    { kind: 'names', text: after === undefined ? '+++ /dev/null' : `+++ after${path}` },
    ...hunks,
  ];
}

function modeOf(file: IgnitionFile | undefined): Text {
  return file === undefined ? undefined : fileMode(file).toString(8).padStart(4, '0');
}

function ownerOf(file: IgnitionFile | undefined): Text {
  if (file === undefined) return undefined;
  const word = ({ id, name }: IgnitionOwner) => name ?? (id === 0 ? 'root' : String(id));
  return `${word(fileUser(file))}:${word(fileGroup(file))}`;
}

function bytesOf(file: IgnitionFile | undefined): Uint8Array | undefined {
  return file === undefined ? undefined : decodeContents(file);
}

/** The text of bytes; undefined when they are no text that a terminal could show. */
function textOf(bytes: Uint8Array): Text {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function sizes(before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const size = (bytes: Uint8Array | undefined) =>
    bytes === undefined ? 'none' : `${bytes.length} bytes`;
  return `${size(before)} before, ${size(after)} after`;
}

function fileLines(change: FileChange, showSecrets: boolean): readonly DiffLine[] {
  const { path, before, after } = change;
  return [
    title(`file ${path}`, change.change, change.fields),
    ...valueLines('mode', modeOf(before), modeOf(after)),
    ...valueLines('owner', ownerOf(before), ownerOf(after)),
    ...fileContentLines(change, showSecrets),
  ];
}

function fileContentLines(change: FileChange, showSecrets: boolean): readonly DiffLine[] {
  const { path, before, after, fields } = change;
  if (change.change === 'changed' && !fields.includes('contents')) return [];
  const secret = [before, after].some((file) => file !== undefined && isSecretFile(file));
  if (secret && !showSecrets)
    return [{ kind: 'note', text: 'contents are masked; --show-secrets shows them' }];
  const [left, right] = [bytesOf(before), bytesOf(after)];
  const texts = [left, right].map((bytes) => (bytes === undefined ? '' : textOf(bytes)));
  if (texts.includes(undefined))
    return [{ kind: 'note', text: `binary contents differ: ${sizes(left, right)}` }];
  return contentLines(path, left && texts[0], right && texts[1]);
}

function wordOf(value: boolean | undefined): Text {
  return value === undefined ? undefined : String(value);
}

function unitLines(change: UnitChange): readonly DiffLine[] {
  const { name, before, after, dropins } = change;
  const text = (unit: IgnitionUnit | undefined) =>
    unit?.contents === '' ? undefined : unit?.contents;
  const dropin = (unit: IgnitionUnit | undefined, file: string) =>
    unit?.dropins.find((candidate) => candidate.name === file)?.contents;
  return [
    title(`unit ${name}`, change.change, change.fields),
    ...valueLines('enabled', wordOf(before?.enabled), wordOf(after?.enabled)),
    ...valueLines('mask', wordOf(before?.mask), wordOf(after?.mask)),
    ...contentLines(unitPath(name), text(before), text(after)),
    ...dropins.flatMap((each) =>
      contentLines(
        dropinPath(name, each.name),
        dropin(before, each.name),
        dropin(after, each.name),
      ),
    ),
  ];
}

/** Keys are public: they are shown. */
function keyLines({ before, after }: ListChange): readonly DiffLine[] {
  const text = (keys: readonly string[]) =>
    authorizedKeysText({ ...emptyIgnitionConfig, sshAuthorizedKeys: keys }) ?? '';
  return [
    title('SSH keys of boot', 'changed', []),
    ...unifiedDiff(text(before), text(after)),
    ...(before.length + after.length === 0
      ? [{ kind: 'note', text: 'whether they are managed at all differs' } as const]
      : []),
  ];
}

function argumentLines({ before, after }: ListChange): readonly DiffLine[] {
  const text = (list: readonly string[]) => list.map((argument) => `${argument}\n`).join('');
  return [title('kernel arguments', 'changed', []), ...unifiedDiff(text(before), text(after))];
}
