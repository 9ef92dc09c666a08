import { type Issue, isJsonObject } from '@slipway/base';
import { nearestKey, type SyntaxNode, type SyntaxTree } from '@slipway/ignition';
import { issueCode } from '../errors.ts';

type Schema = { readonly [key: string]: unknown };
type Place = { readonly node: SyntaxNode; readonly path: string };
type Fault = Pick<Issue, 'code' | 'message'> & { readonly hint?: string };

/**
 * What of a value a structural schema refuses: unknown and missing fields, types, words that are none of
 * a list. The rest (lengths, CEL rules) is judged by the rules of the kind.
 */
export function schemaIssues(tree: SyntaxTree, schema: Schema, path: string): readonly Issue[] {
  return walk(tree, schema, { node: tree.root, path });
}

function issueAt(tree: SyntaxTree, place: Place, fault: Fault): Issue {
  const { range } = place.node;
  const position = range === undefined ? undefined : tree.source?.positionAt(range.start);
  return { severity: 'error', path: place.path, ...fault, ...position };
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** Anything goes: a schema without a type. */
function isOpen(schema: Schema): boolean {
  return schema['type'] === undefined && schema['x-kubernetes-int-or-string'] !== true;
}

function hasType(node: SyntaxNode, schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true)
    return node.kind === 'integer' || node.kind === 'string';
  const type = schema['type'];
  return type === node.kind || (type === 'number' && node.kind === 'integer');
}

function walk(tree: SyntaxTree, schema: Schema, place: Place): readonly Issue[] {
  const { node } = place;
  // Kubernetes drops nulls of fields that may not be null.
  if (node.kind === 'null' || isOpen(schema)) return [];
  if (!hasType(node, schema)) {
    const wanted = typeNames[String(schema['type'])] ?? 'a whole number or a text';
    const message = `must be ${wanted}, but is ${typeNames[node.kind]}`;
    return [issueAt(tree, place, { code: issueCode.wrongType, message })];
  }
  if (node.kind === 'array' && isJsonObject(schema['items'])) {
    const { items } = schema;
    return node.items.flatMap((item, index) => {
      const entry = { node: item, path: `${place.path}[${index}]` };
      if (item.kind !== 'null') return walk(tree, items as Schema, entry);
      return [issueAt(tree, entry, { code: issueCode.wrongType, message: 'must not be null' })];
    });
  }
  if (node.kind === 'object') return objectIssues(tree, schema, { node, path: place.path });
  return node.kind === 'string' ? wordIssues(tree, schema, { node, path: place.path }) : [];
}

function wordIssues(
  tree: SyntaxTree,
  schema: Schema,
  place: { readonly node: SyntaxNode & { kind: 'string' }; readonly path: string },
): readonly Issue[] {
  const words = schema['enum'];
  const { value } = place.node;
  if (!Array.isArray(words) || words.includes(value)) return [];
  const near = nearestKey(value, words.map(String));
  const hint = near === undefined ? `one of ${words.join(', ')}` : `did you mean ${near}?`;
  const message = `${JSON.stringify(value)} is none of the words that are known here`;
  return [issueAt(tree, place, { code: issueCode.wrongValue, message, hint })];
}

function objectIssues(
  tree: SyntaxTree,
  schema: Schema,
  { node, path }: { readonly node: SyntaxNode & { kind: 'object' }; readonly path: string },
): readonly Issue[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const values = schema['additionalProperties'];
  const known = Object.keys(properties);
  const seen = new Set<string>();
  const found = node.members.flatMap(({ key, value, range }): readonly Issue[] => {
    const at = {
      node: { ...value, ...(range && { range }) },
      path: path === '' ? key : `${path}.${key}`,
    };
    if (seen.has(key)) {
      const message = `${key} appears twice`;
      return [issueAt(tree, at, { code: issueCode.unknownField, message })];
    }
    seen.add(key);
    const inner = Object.hasOwn(properties, key) ? properties[key] : values;
    if (isJsonObject(inner)) return walk(tree, inner, { node: value, path: at.path });
    if (inner === true || schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
    return [issueAt(tree, at, unknownField(key, known))];
  });
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const given = new Set(
    node.members.filter(({ value }) => value.kind !== 'null').map(({ key }) => key),
  );
  const missing = required.filter((name) => !given.has(name));
  return [
    ...found,
    ...missing.map((name) =>
      issueAt(
        tree,
        { node, path },
        { code: issueCode.missingField, message: `${name} is missing` },
      ),
    ),
  ];
}

function unknownField(key: string, known: readonly string[]): Fault {
  const near = nearestKey(key, known);
  const hint = near === undefined ? `known fields: ${known.join(', ')}` : `did you mean ${near}?`;
  return { code: issueCode.unknownField, message: `unknown field ${key}`, hint };
}
