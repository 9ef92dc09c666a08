import type { JsonValue } from '@slipway/base';
import type { SourceRange, SourceText } from './source-text.ts';

type Located = {
  readonly range?: SourceRange;
  /** Path of the value in the document that it was converted from; copies of the node keep it. */
  readonly origin?: string;
};

export type ObjectMember = {
  readonly key: string;
  /** Range of the key, where the text is known. */
  readonly range?: SourceRange;
  readonly value: SyntaxNode;
};

/** An object with its members in text order, duplicates included. */
export type ObjectNode = Located & {
  readonly kind: 'object';
  readonly members: readonly ObjectMember[];
};
export type ArrayNode = Located & {
  readonly kind: 'array';
  readonly items: readonly SyntaxNode[];
};
export type StringNode = Located & { readonly kind: 'string'; readonly value: string };
/** A whole number within 64 bits, as spelt: `0644` and `0x1a4` are both 420 where the format has them. */
export type IntegerNode = Located & {
  readonly kind: 'integer';
  readonly value: number;
  /** The notation, where the text is known and is YAML: decides whether a mode may have been meant as octal. */
  readonly notation?: 'decimal' | 'octal' | 'other';
};
/** A number that is no whole number within 64 bits: `420.0`, `4.2e2`, twenty digits. */
export type NumberNode = Located & { readonly kind: 'number'; readonly value: number };
export type BooleanNode = Located & { readonly kind: 'boolean'; readonly value: boolean };
export type NullNode = Located & { readonly kind: 'null' };

/** One value of a JSON or YAML document. Ranges are absent when the tree was built from a parsed value. */
export type SyntaxNode =
  | ObjectNode
  | ArrayNode
  | StringNode
  | IntegerNode
  | NumberNode
  | BooleanNode
  | NullNode;

/** A document: its value and, where known, its text. */
export type SyntaxTree = { readonly root: SyntaxNode; readonly source?: SourceText };

/** Deeper values are cut off, so that no walk leaves the stack; validation refuses them long before. */
const maxDepth = 512;

/** Builds a tree without positions from a value that is already parsed, as admission and daemon get it. */
export function treeFromJson(value: unknown): SyntaxTree {
  return { root: nodeFromJson(value, 0) };
}

function nodeFromJson(value: unknown, depth: number): SyntaxNode {
  if (value === null || value === undefined || depth > maxDepth) return { kind: 'null' };
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number') {
    return { kind: Number.isSafeInteger(value) ? 'integer' : 'number', value };
  }
  if (Array.isArray(value)) {
    return { kind: 'array', items: value.map((item) => nodeFromJson(item, depth + 1)) };
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => ({ key, value: nodeFromJson(member, depth + 1) }));
  return { kind: 'object', members };
}

/** The plain value of a node; of duplicate keys the last one counts. */
export function jsonOf(node: SyntaxNode): JsonValue {
  switch (node.kind) {
    case 'null':
      return null;
    case 'array':
      return node.items.map(jsonOf);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, jsonOf(value)]));
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return node.value;
  }
}

/** The part of a tree below `keys` (object keys and list indexes); `undefined` when there is none. */
export function subtree(
  tree: SyntaxTree,
  keys: readonly (string | number)[],
): SyntaxTree | undefined {
  let node: SyntaxNode | undefined = tree.root;
  for (const key of keys) {
    node = childOf(node, key);
    if (node === undefined) return undefined;
  }
  return { ...tree, root: node };
}

function childOf(node: SyntaxNode, key: string | number): SyntaxNode | undefined {
  if (node.kind === 'array') return typeof key === 'number' ? node.items[key] : undefined;
  if (node.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key)?.value;
}
