import { posix } from 'node:path';
import { UserError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { parseDocuments } from '../config/document/parse-documents.ts';
import { type Position, plainValue } from '../config/document/source-node.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { listPatchFiles } from './list-patch-files.ts';
import { type PatchKind, type PatchTarget, readPatchFileName } from './patch-file-name.ts';

/** One patch of a file, in the order in which it is applied. */
export type Patch = {
  readonly target: PatchTarget;
  readonly kind: PatchKind;
  readonly file: HostPath;
  readonly position: Position;
  readonly content: unknown;
};

export type LoadedPatches = {
  readonly patches: readonly Patch[];
  /** Files that are no patches, with the reason. */
  readonly ignored: readonly string[];
};

/**
 * Reads a directory of patches: files in lexical order, sub-directories at their place, documents in theirs.
 * Throws a UserError that names file, line and column for what is meant as a patch and is none.
 */
export async function loadPatches(files: HostFiles, directory: HostPath): Promise<LoadedPatches> {
  const stat = await files.stat(directory);
  if (stat?.type !== 'directory') {
    throw refuse(
      `read patches from ${directory}: ${stat === undefined ? 'it does not exist' : 'it is no directory'}`,
    );
  }
  const patches: Patch[] = [];
  const ignored: string[] = [];
  for (const file of await listPatchFiles(files, directory)) {
    const meaning = readPatchFileName(posix.basename(file));
    if ('refused' in meaning) throw refuse(`read patch ${file}: ${meaning.refused}`);
    if ('ignored' in meaning) {
      ignored.push(`${file}: ${meaning.ignored}`);
      continue;
    }
    const text = await readHostText(files, file);
    if (text === undefined) throw refuse(`read patch ${file}: it is a link that leads nowhere`);
    const found = readPatches(text, file, meaning);
    if (found.length === 0) ignored.push(`${file}: it is empty`);
    patches.push(...found);
  }
  return { patches, ignored };
}

function readPatches(
  text: string,
  file: HostPath,
  { target, kind }: Pick<Patch, 'target' | 'kind'>,
): readonly Patch[] {
  const { documents, issues } = parseDocuments(text);
  const [first] = issues.filter(({ severity }) => severity === 'error');
  if (first !== undefined) {
    throw refuse(`read patch ${file}:${first.line}:${first.column}: ${first.message}`);
  }
  return documents.map((node) => {
    const want = kind === 'json' ? 'list' : 'map';
    if (node.kind !== want) {
      const words = kind === 'json' ? 'a list of operations' : 'an object';
      throw refuse(`read patch ${file}:${node.line}:${node.column}: a ${kind} patch is ${words}`);
    }
    const { line, column } = node;
    return { target, kind, file, position: { line, column }, content: plainValue(node) };
  });
}

function refuse(message: string): UserError {
  const code: BootstrapErrorCode = 'bootstrap.patches.malformed';
  return new UserError(message, { code });
}
