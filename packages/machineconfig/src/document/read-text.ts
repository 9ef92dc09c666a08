import { type Issue, isJsonObject, type JsonObject } from '@slipway/base';
import { jsonOf, parse, SourceText, type SyntaxTree, subtree } from '@slipway/ignition';
import { codeCatalogue } from '../code-catalogue.ts';
import type { HostConfig } from '../diff/config-diff.ts';
import { issueCode } from '../errors.ts';
import { judgeObject, type ObjectKind, textAt } from './judge-object.ts';
import { locateIssue } from './locate-issue.ts';
import { splitJson } from './split-json.ts';

/** One object of a text. */
export type TextObject = {
  readonly kind: ObjectKind;
  /** `metadata.name`; empty where there is none. */
  readonly name: string;
  /** The object as it is written, with positions in the whole text. */
  readonly tree: SyntaxTree;
  readonly value: JsonObject;
  /** What a valid MachineConfig or Ignition config declares. */
  readonly host?: HostConfig;
  /** One-based, of the object's beginning. */
  readonly line: number;
};

export type TextReading = {
  readonly objects: readonly TextObject[];
  /** Everything that is wrong, in the order of the text, with positions in it. */
  readonly issues: readonly Issue[];
};

/**
 * Reads a text of MachineConfigs, pools, policies, Lists of them, or bare Ignition: YAML or JSON, one
 * document or several. Judges every object, collects all findings, and never throws.
 */
export function readText(text: string): TextReading {
  const { documents, issues: faults } = parseDocuments(text);
  const empty = documents.length === 0 && faults.length === 0;
  const issues = [...faults, ...(empty ? [emptyText] : [])];
  const readings = documents.map((tree) => readDocument(tree, ''));
  const all = [...issues, ...readings.flatMap((reading) => reading.issues)];
  return {
    objects: readings.flatMap((reading) => reading.objects),
    issues: all.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    ),
  };
}

const emptyText: Issue = {
  code: issueCode.textEmpty,
  severity: 'error',
  path: '',
  line: 1,
  column: 1,
  message: 'the text has no document',
  hint: 'write an object into it, or leave the file out',
};

type Parsed = { readonly documents: readonly SyntaxTree[]; readonly issues: readonly Issue[] };

/** The documents of a text, YAML or JSON, one or several, with positions in the whole text. */
export function parseDocuments(text: string): Parsed {
  // JSON documents between `---` lines are YAML; such a line is in no JSON text.
  if (/^---(?:\s|$)/m.test(text)) return parse(text, { format: 'yaml' });
  if (!/^\s*\{/.test(text)) return parse(text);
  const parts = splitJson(text);
  if (parts.length === 1) return parse(text);
  const source = new SourceText(text);
  const results = parts.map((part) => {
    // Blanks before the part keep its positions those of the whole text.
    const { line, column } = source.positionAt(part.start);
    return parse(`${'\n'.repeat(line - 1)}${' '.repeat(column - 1)}${part.text}`);
  });
  return {
    documents: results.flatMap(({ documents }) => documents),
    issues: results.flatMap(({ issues }) => issues),
  };
}

function readDocument(tree: SyntaxTree, prefix: string): TextReading {
  const list = listOf(tree);
  if (list === undefined) return readObject(tree, prefix);
  const readings = list.map((item, index) =>
    readDocument(item, `${prefix === '' ? '' : `${prefix}.`}items[${index}]`),
  );
  return {
    objects: readings.flatMap(({ objects }) => objects),
    issues: readings.flatMap(({ issues }) => issues),
  };
}

/** The items of a List, as kubectl prints several objects; undefined for anything else. */
function listOf(tree: SyntaxTree): readonly SyntaxTree[] | undefined {
  if (textAt(tree, 'kind')?.endsWith('List') !== true) return undefined;
  const items = subtree(tree, ['items'])?.root;
  return items?.kind === 'array' ? items.items.map((root) => ({ ...tree, root })) : undefined;
}

function readObject(tree: SyntaxTree, prefix: string): TextReading {
  const { kind, host, issues } = judgeObject(tree);
  const value = jsonOf(tree.root);
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  const start = tree.root.range?.start ?? 0;
  const object: TextObject = {
    kind,
    name: typeof name === 'string' ? name : '',
    tree,
    value: isJsonObject(value) ? (value as JsonObject) : {},
    line: tree.source?.positionAt(start).line ?? 1,
    ...(host && { host }),
  };
  return { objects: [object], issues: issues.map((issue) => within(prefix, issue, tree)) };
}

/** An issue of an object as one of the document that the object is part of. */
function within(prefix: string, issue: Issue, tree: SyntaxTree): Issue {
  const hint = issue.hint ?? briefFix(issue.code);
  const located = locateIssue({ ...issue, ...(hint === undefined ? {} : { hint }) }, tree);
  if (prefix === '') return located;
  return { ...located, path: located.path === '' ? prefix : `${prefix}.${located.path}` };
}

/** The first sentence of what the catalogue says to do, worded as a hint. */
function briefFix(code: string): string | undefined {
  const entry = Object.entries(codeCatalogue).find(([known]) => known === code);
  const [sentence = ''] = entry?.[1].fix.split(/\.(?:\s|$)/, 1) ?? [];
  return sentence === '' ? undefined : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
