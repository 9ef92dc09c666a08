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
  const control = controlCharacter(text);
  if (control !== undefined) return { documents: [], issues: [control] };
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
    return {
      documents: [],
      issues: [issue('bootstrap.config.syntax', [], { line: 1, column: 1 }, whyNotParsed(error))],
    };
  }
}

/** A character that YAML forbids anywhere (1.2, production 1): the parser lets it through, kubeadm does not. */
function controlCharacter(text: string): Issue | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index).split('\n');
  const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const name = `U+${text.charCodeAt(found.index).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `the control character ${name} is not allowed`;
  return issue('bootstrap.config.syntax', [], position, message);
}

function issue(code: ConfigurationCode, path: Path, position: Position, message: string): Issue {
  const { line, column } = position;
  return { code, severity: 'error', path: formatPath(path), line, column, message };
}

class DocumentReader {
  readonly issues: Issue[] = [];
  readonly #counter: LineCounter;
  /** What is being read by an alias: an alias to it again would have no end. */
  readonly #followed = new Set<Node>();
  #nodes = 0;
  #tooLargeAt: Position | undefined;

  constructor(counter: LineCounter) {
    this.#counter = counter;
  }

  read(document: Document.Parsed): readonly SourceNode[] {
    const told = new Set<string>();
    for (const error of document.errors) {
      const message = whyNotParsed(error);
      // One cause has a thousand consequences: of each kind the first, and of one too deep only itself.
      if (told.has(message) || told.has(tooDeep)) continue;
      told.add(message);
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
      if (target !== undefined && !this.#followed.has(target)) {
        this.#followed.add(target);
        const found = this.#node(document, target, path);
        this.#followed.delete(target);
        return found;
      }
      const message =
        target === undefined
          ? `there is no anchor &${node.source}`
          : `the anchor &${node.source} is within itself`;
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
    const merged = new Set<string>();
    for (const pair of pairs) {
      if (isMergeKey(pair.key)) {
        const added = this.#merged(document, pair.value, path).filter(
          (entry) => !entries.has(entry.key) && merged.add(entry.key),
        );
        // Of several objects the first wins.
        for (const entry of added.toReversed()) entries.set(entry.key, entry);
        continue;
      }
      const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
      const position = this.#position((pair.key as Node | null)?.range?.[0] ?? 0);
      // What is written in the object itself is meant to win over what is merged into it.
      if (entries.has(key) && !merged.delete(key)) this.#duplicate([...path, key], key, position);
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
    const sources = node.kind === 'list' ? node.items : [node];
    return sources.flatMap((source) => {
      if (source.kind === 'map') return source.entries;
      const message = 'only objects can be merged into an object';
      this.issues.push(issue('bootstrap.config.syntax', path, source, message));
      return [];
    });
  }
}

/** The parser gives a merge key as a symbol where merging is on, and as text where it is quoted. */
const tooDeep = 'the file is nested deeper than any configuration';

/** In words that have to do with the file: the parser speaks of itself when its stack ends. */
function whyNotParsed(error: unknown): string {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const isTooDeep = error instanceof RangeError || /stack/i.test(message);
  return isTooDeep ? tooDeep : message.toLowerCase();
}

function isMergeKey(key: unknown): boolean {
  return (
    isScalar(key) && (typeof key.value === 'symbol' || key.value === '<<') && key.type === 'PLAIN'
  );
}

type ScalarNode = { value: unknown; source?: string | undefined; type?: string | undefined };

/** Whole numbers of YAML 1.1, which Kubernetes reads, that start with a zero: their base is 8. */
const octal = /^[-+]?0[0-7]+$/;

function scalarOf(node: ScalarNode) {
  const quoted = node.type !== undefined && node.type !== 'PLAIN';
  const isOctal = typeof node.value === 'number' && octal.test(node.source ?? '');
  const value = isOctal ? Number.parseInt(node.source ?? '', 8) : node.value;
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : value === null
        ? null
        : String(value);
  return { kind: 'scalar', value: known, source: node.source ?? String(value), quoted } as const;
}
