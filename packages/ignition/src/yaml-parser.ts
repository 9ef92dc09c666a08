import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { SourceRange } from './source-text.ts';
import type { SyntaxFault } from './syntax-fault.ts';
import type { ObjectMember, SyntaxNode } from './syntax-tree.ts';
import { resolvePlainScalar } from './yaml-scalar.ts';

/** One document of a YAML text; `root` is null for a document with faults. */
export type YamlDocument = { readonly root: SyntaxNode; readonly faults: readonly SyntaxFault[] };

const maxDepth = 256;
/** Faults shown of one document: after the first ones the library guesses. */
const maxFaults = 10;
/** Nodes that aliases may stand for in one document: a "billion laughs" text is refused. */
const maxAliasNodes = 100_000;

/** Reading stops by throwing this inside the module; it never leaves it. */
class YamlStop extends Error {
  readonly fault: SyntaxFault;

  constructor(fault: SyntaxFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * Parses a YAML text of one or more documents into trees with ranges. Scalars are resolved as `kubectl apply`
 * does, duplicate keys are kept for validation to report, anchors and merge keys (`<<`) are resolved.
 */
export function parseYaml(text: string): YamlDocument[] {
  const nested = deepNesting.exec(text);
  if (nested !== null) return [tooDeep(nested.index)];
  try {
    return readDocuments(text);
  } catch (error) {
    // The library recurses, and deep nesting can be spelt in ways that the pattern does not see.
    if (!(error instanceof RangeError)) throw error;
    return [tooDeep(0)];
  }
}

/** Hundreds of brackets or indicators in a row: refused before the library spends seconds on them. */
const deepNesting = /(?:[[{]\s*|[-?:][ \t]+|[&*!][^\s&*!]*\s+){300}/;

function tooDeep(offset: number): YamlDocument {
  const message = 'the document is nested too deeply';
  return { root: { kind: 'null' }, faults: [{ name: 'too-deep', message, offset }] };
}

function readDocuments(text: string): YamlDocument[] {
  // Only texts, lists and maps: scalars are resolved here, where the notation of a number is still known.
  const parsed = parseAllDocuments(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    strict: true,
    logLevel: 'silent',
  });
  const documents: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  return documents.filter((document) => !isBlank(document)).map(readDocument);
}

/** A document of comments only, as between two `---`, declares nothing. */
function isBlank({ contents, errors }: Document.Parsed): boolean {
  if (errors.length > 0) return false;
  if (contents === null) return true;
  const [start, end] = contents.range;
  return isScalar(contents) && start === end && contents.tag === undefined;
}

function readDocument(document: Document.Parsed): YamlDocument {
  const faults = document.errors.slice(0, maxFaults).map(
    (error): SyntaxFault => ({
      name: 'yaml-syntax',
      message: firstLine(error.message),
      offset: error.pos[0],
    }),
  );
  if (faults.length > 0) return { root: { kind: 'null' }, faults };
  try {
    return { root: new YamlReader(document).root(), faults };
  } catch (error) {
    if (error instanceof YamlStop) return { root: { kind: 'null' }, faults: [error.fault] };
    throw error;
  }
}

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? message;
  return line.charAt(0).toLowerCase() + line.slice(1);
}

class YamlReader {
  readonly #document: Document.Parsed;
  #aliasNodes = 0;
  #aliasDepth = 0;

  constructor(document: Document.Parsed) {
    this.#document = document;
  }

  root(): SyntaxNode {
    return this.#node(this.#document.contents, { start: 0, end: 0 }, 0);
  }

  #node(node: Node | null, fallback: SourceRange, depth: number): SyntaxNode {
    const range = rangeOf(node) ?? fallback;
    if (depth > maxDepth) stop('too-deep', 'the document is nested too deeply', range);
    if (this.#aliasDepth > 0) {
      this.#aliasNodes += 1;
      if (this.#aliasNodes > maxAliasNodes) {
        stop('yaml-syntax', 'aliases stand for too many values', range);
      }
    }
    if (isAlias(node)) return this.#alias(node, range, depth);
    if (isMap(node)) {
      return { kind: 'object', members: this.#members(node as YAMLMap<Node, Node>, depth), range };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#node(item as Node, range, depth + 1));
      return { kind: 'array', items, range };
    }
    return isScalar(node) ? scalarOf(node, range) : { kind: 'null', range };
  }

  #alias(alias: Alias, range: SourceRange, depth: number): SyntaxNode {
    const target = alias.resolve(this.#document);
    if (target === undefined)
      return stop('yaml-syntax', 'the anchor of the alias is missing', range);
    this.#aliasDepth += 1;
    const node = this.#node(target, range, depth + 1);
    this.#aliasDepth -= 1;
    // The place of an alias is where it is used, not where its anchor is.
    return { ...node, range };
  }

  #members(map: YAMLMap<Node, Node>, depth: number): ObjectMember[] {
    const own: ObjectMember[] = [];
    const merged: ObjectMember[] = [];
    for (const pair of map.items) {
      const range = rangeOf(pair.key) ?? { start: 0, end: 0 };
      if (isMergeKey(pair)) merged.push(...this.#merged(pair.value, range, depth));
      else {
        const key = this.#key(pair.key, range);
        own.push({ key, range, value: this.#node(pair.value, range, depth + 1) });
      }
    }
    if (merged.length === 0) return own;
    const ownKeys = new Set(own.map(({ key }) => key));
    const inherited = new Map<string, ObjectMember>();
    for (const member of merged) {
      if (!ownKeys.has(member.key) && !inherited.has(member.key)) inherited.set(member.key, member);
    }
    return [...inherited.values(), ...own];
  }

  /** Members that a merge key brings in: of one map, or of several, the earlier ones winning. */
  #merged(value: Node | null, range: SourceRange, depth: number): ObjectMember[] {
    const node = this.#node(value, range, depth + 1);
    const sources = node.kind === 'array' ? node.items : [node];
    return sources.flatMap((source) => {
      if (source.kind === 'object') return source.members.map((member) => ({ ...member, range }));
      return stop('yaml-syntax', 'a merge key takes a map or a list of maps', range);
    });
  }

  #key(key: Node | null, range: SourceRange): string {
    const node = isAlias(key) ? key.resolve(this.#document) : key;
    if (isScalar(node)) return String(node.value ?? '');
    return stop('yaml-syntax', 'a key must be a text', range);
  }
}

function stop(name: SyntaxFault['name'], message: string, range: SourceRange): never {
  throw new YamlStop({ name, message, offset: range.start });
}

function rangeOf(node: Node | null): SourceRange | undefined {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}

function isMergeKey(pair: Pair<Node, Node>): boolean {
  return isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';
}

const tagPrefix = 'tag:yaml.org,2002:';

function scalarOf(scalar: Scalar, range: SourceRange): SyntaxNode {
  const text = String(scalar.value ?? '');
  const tag = scalar.tag?.replace(tagPrefix, '');
  if (tag === 'str') return { kind: 'string', value: text, range };
  const isPlain = scalar.type === 'PLAIN' || scalar.type === undefined;
  const isTyped = tag === 'int' || tag === 'bool' || tag === 'null' || tag === 'float';
  if (isPlain || isTyped) return resolvePlainScalar(text, range);
  return { kind: 'string', value: text, range };
}
