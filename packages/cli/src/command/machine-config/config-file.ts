import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hasErrors, type Issue, UserError } from '@slipway/base';
import { SourceText } from '@slipway/ignition';
import { issueCode, readText, type TextObject } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { findingsText } from './findings-text.ts';

/** The name that stands for the standard input. */
const standardInput = '-';

/** A file that a command was given, read and judged. */
export type ConfigFile = {
  /** As it was named. */
  readonly file: string;
  readonly source: SourceText;
  readonly objects: readonly TextObject[];
  readonly issues: readonly Issue[];
};

/** A file that a command was given, as text. */
export type TextFile = {
  /** As it was named. */
  readonly file: string;
  /** Absent when the file cannot be read; then there is an issue that says so. */
  readonly text?: string;
  readonly issues: readonly Issue[];
};

/** Reads and judges files. One that cannot be read has a finding that says so. */
export async function readConfigFiles(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly ConfigFile[]> {
  const files = await readTexts(names, context);
  return files.map(({ file, text, issues }) =>
    text === undefined
      ? { file, source: new SourceText(''), objects: [], issues }
      : { file, source: new SourceText(text), ...readText(text) },
  );
}

/** Reads files as texts. One that cannot be read has a finding that says so. */
export async function readTexts(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly TextFile[]> {
  if (names.filter((name) => name === standardInput).length > 1) {
    const code: CliErrorCode = 'cli.usage';
    throw new UserError('read standard input: - is given twice', { code });
  }
  const files: TextFile[] = [];
  for (const name of names) files.push(await readTextFile(name, context));
  return files;
}

/**
 * Reads files that a command cannot do without. Warnings are told; undefined when there are errors, which
 * are told as well: the command ends with exit code 3.
 */
export async function readAccepted(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly ConfigFile[] | undefined> {
  const files = await readConfigFiles(names, context);
  for (const file of files)
    if (file.issues.length > 0) context.output.problem(findingsText(file).trimEnd());
  return files.some(({ issues }) => hasErrors(issues)) ? undefined : files;
}

async function readTextFile(file: string, context: CommandContext): Promise<TextFile> {
  const { workingDirectory } = context.environment;
  let bytes: Uint8Array;
  try {
    bytes =
      file === standardInput
        ? await buffer(process.stdin)
        : await readFile(resolve(workingDirectory, file));
  } catch (error) {
    const message = `read file: ${reasonOf(error)}`;
    return withoutText(file, { code: issueCode.textUnreadable, message });
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { file, text, issues: [] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return withoutText(file, { code: issueCode.textEncoding, message: 'the file is not UTF-8' });
  }
}

function withoutText(file: string, fault: { code: string; message: string }): TextFile {
  return { file, issues: [{ severity: 'error', path: '', ...fault }] };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not read it',
  EISDIR: 'it is a directory',
};

/** Why a file operation failed, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}
