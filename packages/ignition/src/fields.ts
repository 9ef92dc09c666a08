import { type Findings, itemPath, memberPath, type Placed } from './findings.ts';
import { ignitionVersion } from './model.ts';
import { nearestKey } from './nearest-key.ts';
import { type FieldType, type ObjectShape, refusedFields } from './schema.ts';
import type {
  ArrayNode,
  BooleanNode,
  IntegerNode,
  ObjectMember,
  ObjectNode,
  StringNode,
  SyntaxNode,
} from './syntax-tree.ts';

const typeNames: Readonly<Record<SyntaxNode['kind'], string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number that is not a whole number of 64 bits',
  boolean: 'true or false',
  null: 'null',
};

type NodeOf = {
  string: StringNode;
  integer: IntegerNode;
  boolean: BooleanNode;
  object: ObjectNode;
  array: ArrayNode;
};

/** True when `value` is of the wanted type; reports it otherwise. */
function hasType<Type extends FieldType>(
  findings: Findings,
  value: Placed,
  type: Type,
): value is Placed<NodeOf[Type]> {
  if (value.node.kind === type) return true;
  findings.add('json-type', value, {
    message: `must be ${typeNames[type]}, but is ${typeNames[value.node.kind]}`,
    hint: typeHint(value, type),
  });
  return false;
}

function typeHint({ node, path }: Placed, type: FieldType): string | undefined {
  // YAML reads 3.4 as a number; in quotes it would still be no version.
  if (path.endsWith('ignition.version')) return `write version: ${ignitionVersion}`;
  if (node.kind === 'string') {
    const bare = node.value.trim();
    const isNumber = type === 'integer' && /^(0o?)?[0-9]+$/.test(bare);
    const isBoolean = type === 'boolean' && /^(true|false)$/.test(bare);
    return isNumber || isBoolean ? `write ${bare} without quotes` : undefined;
  }
  if (type === 'string' && (node.kind === 'integer' || node.kind === 'number')) {
    return 'put the value in quotes';
  }
  return type === 'array' && node.kind !== 'null' ? 'write a list, even for one entry' : undefined;
}

/** The members of an object that its shape knows, typed; what it does not know has been reported. */
export class Fields<Shape extends ObjectShape> {
  readonly parent: Placed;
  readonly #found: ReadonlyMap<string, Placed>;
  readonly #mistyped: ReadonlySet<string>;

  constructor(parent: Placed, found: ReadonlyMap<string, Placed>, mistyped: ReadonlySet<string>) {
    this.parent = parent;
    this.#found = found;
    this.#mistyped = mistyped;
  }

  /** The field's value, of its declared type; `undefined` when it is absent, null or was refused. */
  get<Name extends keyof Shape['fields'] & string>(
    name: Name,
  ): Placed<NodeOf[Shape['fields'][Name]]> | undefined {
    // The reader below only keeps values of the declared type.
    return this.#found.get(name) as Placed<NodeOf[Shape['fields'][Name]]> | undefined;
  }

  /** True when the field is there with a wrong type: "it is missing" would be a second finding for one fault. */
  isMistyped(name: keyof Shape['fields'] & string): boolean {
    return this.#mistyped.has(name);
  }
}

/** Reads an object by its shape. Null counts as an object without members. */
export function readFields<Shape extends ObjectShape>(
  findings: Findings,
  value: Placed,
  shape: Shape,
): Fields<Shape> {
  const found = new Map<string, Placed>();
  const mistyped = new Set<string>();
  if (value.node.kind === 'null' || !hasType(findings, value, 'object')) {
    return new Fields(value, found, mistyped);
  }
  for (const member of value.node.members) {
    const name = fieldName(findings, value.path, member, shape);
    if (name === undefined || member.value.kind === 'null') continue;
    const placed = { node: member.value, path: memberPath(value.path, name) };
    const type = shape.fields[name];
    const isGuess = name !== member.key && found.has(name);
    if (type === undefined || isGuess) continue;
    if (hasType(findings, placed, type)) found.set(name, placed);
    else mistyped.add(name);
  }
  return new Fields(value, found, mistyped);
}

/** The field that a member sets; reports members that set none. */
function fieldName(
  findings: Findings,
  parentPath: string,
  member: ObjectMember,
  shape: ObjectShape,
): string | undefined {
  const { key } = member;
  if (Object.hasOwn(shape.fields, key)) return key;
  const place = { path: memberPath(parentPath, key), range: member.range };
  if (Object.hasOwn(shape.unsupported, key)) {
    if (!isNothing(member.value)) {
      const reason = shape.unsupported[key] ?? '';
      findings.add('unsupported-field', place, { message: `${key} is not supported: ${reason}` });
    }
    return undefined;
  }
  const known = [...Object.keys(shape.fields), ...Object.keys(shape.unsupported)];
  const nearest = nearestKey(key, known);
  findings.add('unknown-field', place, {
    message: `${JSON.stringify(key)} is not a field of Ignition 3.4.0`,
    hint: unknownHint(key, nearest, shape),
  });
  // Going on with the field that was meant keeps follow-up findings ("path is missing") away.
  return nearest !== undefined && Object.hasOwn(shape.fields, nearest) ? nearest : undefined;
}

/** Keys of Butane that are sugar over Ignition's. */
const butaneKeys = [
  'inline',
  'local',
  'trees',
  'contents_local',
  'ssh_authorized_keys_local',
  'with_mount_unit',
  'boot_device',
  'variant',
];

function unknownHint(key: string, nearest: string | undefined, shape: ObjectShape): string {
  if (butaneKeys.includes(key)) {
    return 'this is a key of Butane: slipway machine-config convert makes Ignition of it';
  }
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  const known = Object.keys(shape.fields).filter((name) => !refusedFields.includes(name));
  return known.length === 0 ? 'remove the key' : `known here: ${known.join(', ')}`;
}

function isNothing(node: SyntaxNode): boolean {
  return node.kind === 'null' || (node.kind === 'array' && node.items.length === 0);
}

/** The entries of a list with their paths. */
export function itemsOf(list: Placed<ArrayNode> | undefined): Placed[] {
  if (list === undefined) return [];
  return list.node.items.map((node, index) => ({ node, path: itemPath(list.path, index) }));
}
