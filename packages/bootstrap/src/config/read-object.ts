import type { JsonObject, JsonValue, Severity } from '@slipway/base';
import { nearestName } from '../workflow/nearest-name.ts';
import type { ConfigurationCode } from './codes.ts';
import {
  type Path,
  plainValue,
  type SourceEntry,
  type SourceNode,
  truthOf,
} from './document/source-node.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Finding } from './finding.ts';
import type { Fields, Shape } from './schema/shape.ts';

export type ReadResult = { readonly object: JsonObject; readonly findings: readonly Finding[] };

export type ReadStrictness = {
  /** How bad an unknown field is: a warning for commands (as kubeadm), an error for `config validate`. */
  readonly unknownField: Severity;
};

/** Reads a document by its shape: what does not fit is a finding and left out. Durations become canonical. */
export function readObject(node: SourceNode, shape: Shape, strictness: ReadStrictness): ReadResult {
  const reader = new ObjectReader(strictness);
  const value = reader.read(node, shape, []);
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { object: object as JsonObject, findings: reader.findings };
}

/** No field is nearly as long: what is longer is like none of them, and costs nothing to compare. */
const longestField = 100;

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

class ObjectReader {
  readonly findings: Finding[] = [];
  readonly #strictness: ReadStrictness;

  constructor(strictness: ReadStrictness) {
    this.#strictness = strictness;
  }

  read(node: SourceNode, shape: Shape, path: Path): JsonValue | undefined {
    if (node.kind === 'scalar' && node.value === null) return undefined;
    if (shape.kind === 'any') return plainValue(node);
    if (shape.kind === 'object') return this.#object(node, shape.fields, path);
    if (shape.kind === 'map') return this.#map(node, shape.of, path);
    if (shape.kind === 'list') return this.#list(node, shape.of, path);
    return this.#scalar(node, shape.kind, path);
  }

  #object(node: SourceNode, fields: Fields, path: Path): JsonValue | undefined {
    if (node.kind !== 'map') return this.#wrongType(node, 'an object', path);
    const members: [string, JsonValue][] = [];
    for (const entry of node.entries) {
      const shape = Object.hasOwn(fields, entry.key) ? fields[entry.key] : undefined;
      if (shape === undefined) {
        this.#unknown(entry, Object.keys(fields), path);
        continue;
      }
      const value = this.read(entry.value, shape, [...path, entry.key]);
      if (value !== undefined) members.push([entry.key, value]);
    }
    return Object.fromEntries(members);
  }

  #map(node: SourceNode, of: Shape, path: Path): JsonValue | undefined {
    if (node.kind !== 'map') return this.#wrongType(node, 'an object', path);
    const members = node.entries.flatMap(({ key, value }): [string, JsonValue][] => {
      const read = this.read(value, of, [...path, key]);
      return read === undefined ? [] : [[key, read]];
    });
    return Object.fromEntries(members);
  }

  #list(node: SourceNode, of: Shape, path: Path): JsonValue | undefined {
    if (node.kind !== 'list') return this.#wrongType(node, 'a list', path);
    // A null stays in its place as what an empty item is, so that positions keep their numbers.
    const empty: JsonValue = of.kind === 'object' ? {} : '';
    return node.items.map((item, index) => this.read(item, of, [...path, index]) ?? empty);
  }

  #scalar(node: SourceNode, kind: string, path: Path): JsonValue | undefined {
    if (node.kind !== 'scalar') return this.#wrongType(node, `a ${kind}`, path);
    const { value } = node;
    if (kind === 'boolean') return this.#boolean(node, path);
    if (kind === 'integer') {
      return Number.isSafeInteger(value) ? value : this.#wrongType(node, 'a whole number', path);
    }
    if (typeof value !== 'string') {
      const hint = `put it in quotes: "${node.source}"`;
      return this.#wrongType(node, 'a string', path, hint);
    }
    if (kind === 'duration') return this.#duration(value, path);
    if (kind === 'timestamp') return this.#timestamp(value, path);
    return value;
  }

  #boolean(node: SourceNode & { kind: 'scalar' }, path: Path): JsonValue | undefined {
    return truthOf(node) ?? this.#wrongType(node, 'true or false', path);
  }

  #duration(value: string, path: Path): JsonValue | undefined {
    const ms = parseDuration(value);
    if (ms !== undefined) return formatDuration(ms);
    const message = `${JSON.stringify(value)} is not a duration`;
    return this.#add('bootstrap.config.duration', path, message, 'write it as 4m0s, 24h or 500ms');
  }

  #timestamp(value: string, path: Path): JsonValue | undefined {
    const day = rfc3339.exec(value)?.[1] ?? '';
    const start = Date.parse(day);
    // The runtime takes the 30th of February for the 2nd of March.
    const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
    if (isDay && !Number.isNaN(Date.parse(value))) return value;
    const message = `${JSON.stringify(value)} is not a time`;
    return this.#add(
      'bootstrap.config.timestamp',
      path,
      message,
      'write it as 2027-01-31T12:00:00Z',
    );
  }

  #unknown(entry: SourceEntry, known: readonly string[], path: Path): void {
    const nearest = entry.key.length > longestField ? undefined : nearestName(entry.key, known);
    this.findings.push({
      code: 'bootstrap.config.unknown-field',
      severity: this.#strictness.unknownField,
      path: [...path, entry.key],
      message: `there is no field ${JSON.stringify(entry.key)}`,
      hint: nearest === undefined ? 'remove it' : `did you mean ${nearest}?`,
    });
  }

  #wrongType(node: SourceNode, want: string, path: Path, hint?: string): undefined {
    const found = node.kind === 'scalar' ? JSON.stringify(node.value) : `a ${node.kind}`;
    return this.#add('bootstrap.config.wrong-type', path, `expected ${want}, found ${found}`, hint);
  }

  #add(code: ConfigurationCode, path: Path, message: string, hint?: string): undefined {
    const finding = { code, severity: 'error', path, message } as const;
    this.findings.push(hint === undefined ? finding : { ...finding, hint });
    return undefined;
  }
}
