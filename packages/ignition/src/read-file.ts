import { readFields } from './fields.ts';
import {
  type Findings,
  missingIn,
  type NamedFinding,
  type Place,
  type Placed,
} from './findings.ts';
import { checkMode } from './mode-rules.ts';
import type { IgnitionFile, IgnitionOwner } from './model.ts';
import { checkPath, shown } from './path-rules.ts';
import { type DecodeBudget, readContents } from './read-contents.ts';
import { shapes } from './schema.ts';

/** The highest number of an account: the one above means "no one" in system calls. */
const maxId = 4_294_967_294;

export type ReadFile = { readonly file: IgnitionFile; readonly bytes?: Uint8Array };

export type FileOptions = {
  readonly rootFiles: 'refuse' | 'warn';
  readonly budget: DecodeBudget;
};

/** Reads one entry of `storage.files`. */
export function readFile(findings: Findings, value: Placed, options: FileOptions): ReadFile {
  const fields = readFields(findings, value, shapes.file);
  const path = fields.get('path');
  const user = fields.get('user');
  const group = fields.get('group');
  const overwrite = fields.get('overwrite');
  const mode = fields.get('mode');
  const contents = fields.get('contents');
  if (!fields.isMistyped('path')) {
    const found = checkPath(path?.node.value ?? '', options.rootFiles);
    report(findings, path ?? missingIn(value, 'path'), found);
  }
  if (mode) report(findings, mode, checkMode(mode.node));
  const read = contents && readContents(findings, contents, options.budget);
  if (overwrite?.node.value === true && read?.contents.source === undefined) {
    report(findings, overwrite, [missingSource]);
  }
  const file: IgnitionFile = {
    path: path?.node.value ?? '',
    ...(mode && { mode: mode.node.value }),
    ...(overwrite && { overwrite: overwrite.node.value }),
    ...present('user', user && readOwner(findings, user)),
    ...present('group', group && readOwner(findings, group)),
    ...present('contents', read?.contents),
  };
  const bytes = read === undefined ? new Uint8Array() : read.bytes;
  return bytes === undefined ? { file } : { file, bytes };
}

/** An object without members says nothing: it counts as absent, as in a merge. */
function present<Name extends string, Value extends object>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  if (value === undefined || Object.keys(value).length === 0) return {};
  return { [name]: value } as { readonly [key in Name]?: Value };
}

const missingSource: NamedFinding = {
  name: 'overwrite-without-source',
  message: 'overwrite is true, but there is no source to write',
  hint: 'add contents.source; an empty text means an empty file',
};

function report(findings: Findings, place: Place | Placed, found: readonly NamedFinding[]): void {
  for (const finding of found) findings.add(finding.name, place, finding);
}

function readOwner(findings: Findings, value: Placed): IgnitionOwner {
  const fields = readFields(findings, value, shapes.owner);
  const id = fields.get('id');
  const name = fields.get('name');
  const ownerName = name?.node.value ?? '';
  if (id !== undefined && ownerName !== '') {
    findings.add('id-and-name', value, { message: 'both id and name are given' });
  }
  if (id !== undefined && (id.node.value < 0 || id.node.value > maxId)) {
    findings.add('id-out-of-range', id, {
      message: `${id.node.value} is not between 0 and ${maxId}`,
    });
  }
  if (
    name !== undefined &&
    ownerName !== '' &&
    !/^[^\s:/,\p{Cc}-][^\s:/,\p{Cc}]*$/u.test(ownerName)
  ) {
    findings.add('owner-name', name, { message: `${shown(ownerName)} is no name of an account` });
  }
  return { ...(id && { id: id.node.value }), ...(name && { name: ownerName }) };
}
