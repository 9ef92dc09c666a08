import type { Issue } from '@slipway/base';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from 'yaml';
import type { ConfigurationCode } from '../codes.ts';
import {
  formatPath,
  type Path,
  type Position,
  type SourceEntry,
  type SourceNode,
} from './source-node.ts';

/** Far above any configuration, far below what would hurt. */
const maxBytes = 3 * 1024 * 1024;
/** Nodes of one file after its aliases were followed. */
const maxNodes = 200_000;

export type ParsedDocuments = {
  readonly documents: readonly SourceNode[];
  readonly issues: readonly Issue[];
};

/**
 * Reads the documents of a file, YAML or JSON. Empty documents are left out. Never throws: what cannot
 * be read is an issue with its place.
 */
export function parseDocuments(text: string): ParsedDocuments {
  if (Buffer.byteLength(text) > maxBytes) {
    return {
      documents: [],
      issues: [
        issue(
          'bootstrap.config.too-large',
          [],
          { line: 1, column: 1 },
          `the file has more than ${maxBytes} bytes`,
        ),
      ],
    };
  }
  const counter = new LineCounter();
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: counter,
      prettyErrors: false,
      uniqueKeys: false,
      strict: true,
      merge: true,
      logLevel: 'silent',
    });
    const reader = new DocumentReader(counter);
    const documents = 'empty' in parsed ? [] : parsed.flatMap((document) => reader.read(document));
    return { documents, issues: reader.issues };
  } catch (error) {
    // The parser itself gave up: an alias without anchor, nesting beyond its stack.
    const message = error instanceof Error ? error.message : String(error);
    return {
      documents: [],
      issues: [
        issue('bootstrap.config.syntax', [], { line: 1, column: 1 }, message.split('\n')[0] ?? ''),
      ],
    };
  }
}

function issue(code: ConfigurationCode, path: Path, position: Position, message: string): Issue {
  const { line, column } = position;
  return { code, severity: 'error', path: formatPath(path), line, column, message };
}

class DocumentReader {
  readonly issues: Issue[] = [];
  readonly #counter: LineCounter;
  #nodes = 0;
  #tooLargeAt: Position | undefined;

  constructor(counter: LineCounter) {
    this.#counter = counter;
  }

  read(document: Document.Parsed): readonly SourceNode[] {
    for (const error of document.errors) {
      const message = (error.message.split('\n')[0] ?? '').toLowerCase();
      this.issues.push(issue('bootstrap.config.syntax', [], this.#position(error.pos[0]), message));
    }
    const contents: Node | null = document.contents;
    if (document.errors.length > 0 || contents === null) return [];
    if (isScalar(contents) && contents.value === null) return [];
    const node = this.#node(document, contents, []);
    return this.#tooLargeAt === undefined ? [node] : [];
  }

  #position(offset: number): Position {
    const { line, col } = this.#counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  #node(document: Document.Parsed, node: unknown, path: Path): SourceNode {
    const start = (node as Node | null)?.range?.[0] ?? 0;
    const position = this.#position(start);
    const nothing = {
      kind: 'scalar',
      value: null,
      source: '',
      quoted: false,
      ...position,
    } as const;
    this.#nodes += 1;
    if (this.#nodes > maxNodes || path.length > 100) {
      if (this.#tooLargeAt === undefined) {
        const message = `more than ${maxNodes} values, or deeper than 100 levels`;
        this.issues.push(issue('bootstrap.config.alias-bomb', path, position, message));
      }
      this.#tooLargeAt = position;
      return nothing;
    }
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target !== undefined) return this.#node(document, target, path);
      const message = `there is no anchor &${node.source}`;
      this.issues.push(issue('bootstrap.config.syntax', path, position, message));
      return nothing;
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.#node(document, item, [...path, index]));
      return { kind: 'list', items, ...position };
    }
    if (isMap(node))
      return { kind: 'map', entries: this.#entries(document, node.items, path), ...position };
    return isScalar(node) ? { ...scalarOf(node), ...position } : nothing;
  }

  #entries(
    document: Document.Parsed,
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    path: Path,
  ): readonly SourceEntry[] {
    const entries = new Map<string, SourceEntry>();
    for (const pair of pairs) {
      if (isMergeKey(pair.key)) {
        for (const entry of this.#merged(document, pair.value, path)) {
          if (!entries.has(entry.key)) entries.set(entry.key, entry);
        }
        continue;
      }
      const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
      const position = this.#position((pair.key as Node | null)?.range?.[0] ?? 0);
      if (entries.has(key)) this.#duplicate([...path, key], key, position);
      const value = this.#node(document, pair.value, [...path, key]);
      entries.set(key, { key, value, ...position });
    }
    return [...entries.values()];
  }

  #duplicate(path: Path, key: string, position: Position): void {
    const code = 'bootstrap.config.duplicate-field';
    const found = issue(code, path, position, `the field ${key} is there twice`);
    const hint = 'the last one counts; remove the others';
    this.issues.push({ ...found, severity: 'warning', hint });
  }

  #merged(document: Document.Parsed, value: unknown, path: Path): readonly SourceEntry[] {
    const node = this.#node(document, value, path);
    if (node.kind === 'map') return node.entries;
    if (node.kind !== 'list') return [];
    return node.items.flatMap((item) => (item.kind === 'map' ? item.entries : []));
  }
}

/** The parser gives a merge key as a symbol where merging is on, and as text where it is quoted. */
function isMergeKey(key: unknown): boolean {
  return (
    isScalar(key) && (typeof key.value === 'symbol' || key.value === '<<') && key.type === 'PLAIN'
  );
}

type ScalarNode = { value: unknown; source?: string | undefined; type?: string | undefined };

function scalarOf(node: ScalarNode) {
  const { value } = node;
  const quoted = node.type !== undefined && node.type !== 'PLAIN';
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : value === null
        ? null
        : String(value);
  return { kind: 'scalar', value: known, source: node.source ?? String(value), quoted } as const;
}
