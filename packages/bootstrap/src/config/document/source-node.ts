import type { JsonValue } from '@slipway/base';

/** One-based place in the text. */
export type Position = { readonly line: number; readonly column: number };

export type SourceEntry = Position & { readonly key: string; readonly value: SourceNode };

/** A value of a document with its place. Of a key that is there twice only the last entry is kept. */
export type SourceNode = Position &
  (
    | { readonly kind: 'map'; readonly entries: readonly SourceEntry[] }
    | { readonly kind: 'list'; readonly items: readonly SourceNode[] }
    | {
        readonly kind: 'scalar';
        readonly value: string | number | boolean | null;
        /** As written: `yes` of an unquoted scalar. */
        readonly source: string;
        readonly quoted: boolean;
      }
  );

/** Members of a path: `['apiServer', 'extraArgs', 0, 'name']`. */
export type Path = readonly (string | number)[];

/** `apiServer.extraArgs[0].name`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const indexes = new WeakMap<readonly SourceEntry[], ReadonlyMap<string, SourceEntry>>();

/** An entry by its key; of an object with thousands of fields, each may have a finding. */
function entryOf(entries: readonly SourceEntry[], key: string): SourceEntry | undefined {
  const index = indexes.get(entries) ?? new Map(entries.map((entry) => [entry.key, entry]));
  indexes.set(entries, index);
  return index.get(key);
}

/** Where a path is, or else the nearest of its parents that is there. */
export function locate(node: SourceNode, path: Path): Position {
  let current = node;
  let { line, column } = node;
  for (const part of path) {
    if (current.kind === 'list' && typeof part === 'number') {
      const item = current.items[part];
      if (item === undefined) break;
      current = item;
      ({ line, column } = item);
    } else if (current.kind === 'map') {
      const entry = entryOf(current.entries, String(part));
      if (entry === undefined) break;
      current = entry.value;
      ({ line, column } = entry);
    } else break;
  }
  return { line, column };
}

const truths: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  on: true,
  no: false,
  n: false,
  off: false,
};

/** What an unquoted `yes` or `Off` says: Kubernetes reads YAML 1.1, where they are booleans. */
export function truthOf(node: SourceNode & { kind: 'scalar' }): boolean | undefined {
  if (typeof node.value === 'boolean') return node.value;
  const isWord = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)$/.test(node.source);
  const word = node.source.toLowerCase();
  return !node.quoted && isWord && Object.hasOwn(truths, word) ? truths[word] : undefined;
}

/** The value without its places. */
export function plainValue(node: SourceNode): JsonValue {
  if (node.kind === 'scalar') return truthOf(node) ?? node.value;
  if (node.kind === 'list') return node.items.map(plainValue);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
}

/** The string of a member that is a string. */
export function memberText(node: SourceNode, key: string): string | undefined {
  if (node.kind !== 'map') return undefined;
  const value = node.entries.find((entry) => entry.key === key)?.value;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}
