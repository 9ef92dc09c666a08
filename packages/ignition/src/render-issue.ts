import type { Issue } from '@slipway/base';
import { SourceText } from './source-text.ts';

const tabWidth = 4;
/** Longer lines are cut around the caret: a data URL may have a million characters. */
const maxWidth = 100;

export type RenderOptions = {
  /** Name of the file to show before the position. */
  readonly fileName?: string;
};

/**
 * An issue as a compiler would show it: severity and code, position, the line of the user's text with a caret
 * under the place, and what to do. Without a known position the text is left out.
 */
export function renderIssue(
  issue: Issue,
  sourceText?: string | SourceText,
  options: RenderOptions = {},
): string {
  const lines = [`${issue.severity}[${issue.code}]: ${issue.message}`];
  const { line, column = 1 } = issue;
  const position = line === undefined ? undefined : `${line}:${column}`;
  const place = [options.fileName, position].filter((part) => part !== undefined).join(':');
  const where = [place, issue.path].filter((part) => part !== '').join('  ');
  const gutter = line === undefined ? '' : ' '.repeat(String(line).length);
  if (where !== '') lines.push(`${gutter}--> ${where}`);
  if (line !== undefined && sourceText !== undefined) {
    const source = typeof sourceText === 'string' ? new SourceText(sourceText) : sourceText;
    lines.push(...excerpt(source.lineAt(line), line, column));
  }
  if (issue.hint !== undefined) lines.push(`${gutter} = help: ${issue.hint}`);
  return `${lines.join('\n')}\n`;
}

function excerpt(text: string, line: number, column: number): string[] {
  const gutter = ' '.repeat(String(line).length);
  const start = Math.max(0, Math.min(column - 1 - maxWidth / 2, text.length - maxWidth));
  const cut = text.slice(start, start + maxWidth);
  const before = start > 0 ? '…' : '';
  const after = start + maxWidth < text.length ? '…' : '';
  const shown = `${before}${visible(cut)}${after}`;
  const caret = visible(before + cut.slice(0, column - 1 - start)).length;
  return [`${gutter} |`, `${line} | ${shown}`, `${gutter} | ${' '.repeat(caret)}^`];
}

/** Tabs become spaces, so that the caret is under its character; control characters become visible. */
function visible(text: string): string {
  return text.replaceAll('\t', ' '.repeat(tabWidth)).replaceAll(/\p{Cc}/gu, '\uFFFD');
}
