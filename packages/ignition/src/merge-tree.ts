import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@slipway/base';
import { itemPath, memberPath } from './findings.ts';
import { type MergeRule, valueRule } from './merge-schema.ts';

/** Where a value of a merged config comes from. */
export type Provenance = {
  /** Label of the source, for example the name of a MachineConfig. */
  readonly source: string;
  /** JSON path within that source's config: `storage.files[2].mode`. */
  readonly path: string;
};

/** A value of one source that a later source replaced by another one. */
export type Override = {
  /** The value by keys instead of indexes: `storage.files["/etc/motd"].mode`. */
  readonly keyPath: string;
  readonly winner: Provenance;
  readonly overridden: Provenance;
};

type MergedLeaf = { readonly kind: 'leaf'; value: JsonValue; origin: Provenance };
type MergedFields = { readonly kind: 'fields'; readonly members: Map<string, MergedNode> };
type MergedEntries = { readonly kind: 'entries'; readonly entries: Map<string, MergedNode> };
type MergedJoin = { readonly kind: 'join'; readonly items: MergedLeaf[] };
type MergedNode = MergedLeaf | MergedFields | MergedEntries | MergedJoin;

/** A value of the source that is being merged. */
type Incoming = {
  readonly value: JsonValue;
  readonly origin: Provenance;
  readonly keyPath: string;
};

export type MergedDocument = {
  readonly document: JsonObject;
  /** Origin of every leaf, by its JSON path in `document`. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly overrides: readonly Override[];
};

/**
 * A document that grows by merging sources into it, in order. Lists are maps in the order of their first
 * appearance, so merging a source costs what the source is long, not what has been merged before.
 */
export class MergeTree {
  readonly #root: MergedFields = { kind: 'fields', members: new Map() };
  readonly #overrides: Override[] = [];
  readonly #schema: MergeRule;

  constructor(schema: MergeRule) {
    this.#schema = schema;
  }

  /** Merges a source over what there is; its values win. */
  add(source: string, document: JsonObject): void {
    const origin = { source, path: '' };
    this.#mergeFields(this.#root, this.#schema, { value: document, origin, keyPath: '' });
  }

  /** The merged document with the origin of every leaf. */
  finish(): MergedDocument {
    const provenance = new Map<string, Provenance>();
    const document = render(this.#root, '', provenance);
    return {
      document: isJsonObject(document) ? (document as JsonObject) : {},
      provenance,
      overrides: this.#overrides,
    };
  }

  #mergeFields(target: MergedFields, rule: MergeRule, incoming: Incoming): void {
    const { value, origin, keyPath } = incoming;
    if (rule.kind !== 'struct' || !isObject(value)) return;
    for (const [name, fieldRule] of Object.entries(rule.fields)) {
      if (fieldRule.kind === 'plain' && !Object.hasOwn(value, name)) target.members.delete(name);
    }
    for (const [name, member] of Object.entries(value)) {
      const fieldRule = Object.hasOwn(rule.fields, name) ? rule.fields[name] : valueRule;
      if (fieldRule === undefined) continue;
      this.#mergeField(target, name, fieldRule, {
        value: member,
        origin: { source: origin.source, path: memberPath(origin.path, name) },
        keyPath: memberPath(keyPath, name),
      });
    }
  }

  #mergeField(target: MergedFields, name: string, rule: MergeRule, incoming: Incoming): void {
    if (isZero(incoming.value, rule)) return;
    const current = target.members.get(name);
    switch (rule.kind) {
      case 'value':
      case 'plain':
        target.members.set(name, this.#replace(current, incoming));
        return;
      case 'struct': {
        const fields = current?.kind === 'fields' ? current : newFields();
        target.members.set(name, fields);
        this.#mergeFields(fields, rule, incoming);
        return;
      }
      case 'joined': {
        const join: MergedJoin = current?.kind === 'join' ? current : { kind: 'join', items: [] };
        target.members.set(name, join);
        join.items.push(...itemsOf(incoming).map(leaf));
        return;
      }
      case 'keyed':
      case 'texts': {
        const list: MergedEntries =
          current?.kind === 'entries' ? current : { kind: 'entries', entries: new Map() };
        target.members.set(name, list);
        for (const item of itemsOf(incoming)) this.#mergeEntry(target, list, rule, item);
        return;
      }
    }
  }

  #mergeEntry(
    parent: MergedFields,
    list: MergedEntries,
    rule: Extract<MergeRule, { kind: 'keyed' | 'texts' }>,
    item: Incoming,
  ): void {
    const key = keyOf(rule, item.value);
    const incoming = { ...item, keyPath: `${item.keyPath}[${JSON.stringify(key)}]` };
    for (const sibling of rule.siblings) this.#drop(parent.members.get(sibling), key, incoming);
    const current = list.entries.get(key);
    if (rule.kind === 'texts') {
      if (current === undefined) list.entries.set(key, leaf(incoming));
      return;
    }
    const fields = current?.kind === 'fields' ? current : newFields();
    list.entries.set(key, fields);
    this.#mergeFields(fields, rule.entry, incoming);
  }

  /** An entry of another type with the same key goes: one path cannot be a file and a link. */
  #drop(list: MergedNode | undefined, key: string, incoming: Incoming): void {
    if (list?.kind !== 'entries') return;
    const dropped = list.entries.get(key);
    if (dropped === undefined) return;
    list.entries.delete(key);
    const overridden = firstOrigin(dropped);
    if (overridden === undefined) return;
    this.#overrides.push({ keyPath: incoming.keyPath, winner: incoming.origin, overridden });
  }

  #replace(current: MergedNode | undefined, incoming: Incoming): MergedLeaf {
    const isChange = current?.kind === 'leaf' && !jsonEqual(current.value, incoming.value);
    if (isChange && current.origin.source !== incoming.origin.source) {
      this.#overrides.push({
        keyPath: incoming.keyPath,
        winner: incoming.origin,
        overridden: current.origin,
      });
    }
    return leaf(incoming);
  }
}

function newFields(): MergedFields {
  return { kind: 'fields', members: new Map() };
}

function leaf({ value, origin }: Incoming): MergedLeaf {
  return { kind: 'leaf', value, origin };
}

function firstOrigin(node: MergedNode): Provenance | undefined {
  switch (node.kind) {
    case 'leaf':
      return node.origin;
    case 'join':
      return node.items[0]?.origin;
    case 'fields':
    case 'entries': {
      const children = node.kind === 'fields' ? node.members : node.entries;
      return [...children.values()].map(firstOrigin).find((origin) => origin !== undefined);
    }
  }
}

function itemsOf({ value, origin, keyPath }: Incoming): Incoming[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: JsonValue, index) => ({
    value: item,
    origin: { source: origin.source, path: itemPath(origin.path, index) },
    keyPath,
  }));
}

function keyOf(rule: Extract<MergeRule, { kind: 'keyed' | 'texts' }>, value: JsonValue): string {
  if (rule.kind === 'texts') return String(value);
  return isObject(value) ? String(value[rule.key] ?? '') : '';
}

function isObject(value: JsonValue): value is JsonObject {
  return isJsonObject(value);
}

/** True when a source says nothing by the value: absent, null, or a structure of such values. */
function isZero(value: JsonValue, rule: MergeRule): boolean {
  if (value === null) return true;
  if (rule.kind === 'plain') return value === '';
  if (!isObject(value)) return false;
  const fields = rule.kind === 'struct' ? rule.fields : {};
  return Object.entries(value).every(([name, member]) => isZero(member, fields[name] ?? valueRule));
}

function render(
  node: MergedNode,
  path: string,
  provenance: Map<string, Provenance>,
): JsonValue | undefined {
  switch (node.kind) {
    case 'leaf':
      provenance.set(path, node.origin);
      return node.value;
    case 'join':
      return node.items.map((item, index) => {
        provenance.set(itemPath(path, index), item.origin);
        return item.value;
      });
    case 'entries': {
      const items: JsonValue[] = [];
      for (const entry of node.entries.values()) {
        items.push(render(entry, itemPath(path, items.length), provenance) ?? {});
      }
      return items.length === 0 ? undefined : items;
    }
    case 'fields': {
      const members: Record<string, JsonValue> = {};
      for (const [name, member] of node.members) {
        const value = render(member, memberPath(path, name), provenance);
        if (value !== undefined) members[name] = value;
      }
      return path !== '' && Object.keys(members).length === 0 ? undefined : members;
    }
  }
}
