import type { Issue, JsonObject } from '@slipway/base';
import { encodeIgnition } from './encode.ts';
import { mergeSchema } from './merge-schema.ts';
import { type MergedDocument, MergeTree, type Override, type Provenance } from './merge-tree.ts';
import { emptyIgnitionConfig, type IgnitionConfig } from './model.ts';
import { type ReadOptions, readIgnition } from './read-ignition.ts';
import { treeFromJson } from './syntax-tree.ts';

/** A config to merge and how to call it: usually the name of its MachineConfig. */
export type IgnitionSource = { readonly label: string; readonly config: IgnitionConfig };

/** A finding about a merged config, with the source to blame. */
export type MergeIssue = Issue & { readonly origin?: Provenance };

export type MergedIgnition = {
  /** The merged config; `undefined` when the result is not valid, although its sources were. */
  readonly config?: IgnitionConfig;
  /** Findings about the merged result; paths are those of the result. */
  readonly issues: readonly MergeIssue[];
  /** Who set what: the origin of every value, by its JSON path in the merged config (without prefix). */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** Values that a later source replaced, in the order of merging. */
  readonly overrides: readonly Override[];
};

/**
 * Merges configs, later ones winning, and validates the result: a path of one source may be in the way of a unit
 * of another. Values are merged field by field; `contents`, `user` and `group` are replaced as a unit. Keys,
 * drop-ins and entries can be added and changed by a later source, never removed.
 */
export function mergeIgnition(
  sources: readonly IgnitionSource[],
  options: ReadOptions = {},
): MergedIgnition {
  const merged = mergeIgnitionDocuments(
    sources.map(({ label, config }) => ({ label, document: encodeIgnition(config) })),
  );
  if (sources.length === 0) {
    return { config: emptyIgnitionConfig, issues: [], provenance: new Map(), overrides: [] };
  }
  const { provenance, overrides } = merged;
  const read = readIgnition(treeFromJson(merged.document), options);
  const prefix = options.prefix ?? '';
  const issues = read.issues.map((issue): MergeIssue => {
    const origin = originOf(provenance, withoutPrefix(issue.path, prefix));
    return origin === undefined ? issue : { ...issue, origin };
  });
  return {
    ...(read.config && { config: read.config }),
    issues,
    provenance,
    overrides,
  };
}

/** Merges plain Ignition documents, unsupported sections included, without looking at what they mean. */
export function mergeIgnitionDocuments(
  sources: readonly { readonly label: string; readonly document: JsonObject }[],
): MergedDocument {
  const tree = new MergeTree(mergeSchema);
  for (const { label, document } of sources) tree.add(label, document);
  return tree.finish();
}

/**
 * The source of the value at a JSON path of a merged config: of the value itself, of what it is part of, or,
 * for an entry of a list, of what identifies it.
 */
export function originOf(
  provenance: ReadonlyMap<string, Provenance>,
  path: string,
): Provenance | undefined {
  for (let current = path; current !== ''; current = parentPath(current)) {
    const origin =
      provenance.get(current) ??
      provenance.get(`${current}.path`) ??
      provenance.get(`${current}.name`);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

function parentPath(path: string): string {
  const end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return end < 0 ? '' : path.slice(0, end);
}

function withoutPrefix(path: string, prefix: string): string {
  if (prefix === '' || !path.startsWith(prefix)) return path;
  return path.slice(prefix.length).replace(/^\./, '');
}
