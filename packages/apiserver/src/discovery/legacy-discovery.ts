import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../contract.ts';
import { subresourceRows } from './subresource-rows.ts';

type Json = Readonly<Record<string, unknown>>;

/** The groups of `definitions` but the core one, in order of appearance, each with its versions. */
export function groupVersions(
  definitions: readonly ResourceDefinition[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { group, version } of definitions) {
    const versions = groups.get(group) ?? [];
    if (!versions.includes(version)) versions.push(version);
    groups.set(group, versions.sort(byPriority));
  }
  return groups;
}

/** Newest and most stable first: v2, v1, v1beta2, v1alpha1 (apimachinery `version.CompareKubeAwareVersionStrings`). */
function byPriority(a: string, b: string): number {
  const rank = (version: string): readonly number[] => {
    const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (found === null) return [0, 0, 0];
    const stability = found[2] === undefined ? 3 : found[2] === 'beta' ? 2 : 1;
    return [stability, Number(found[1]), Number(found[3] ?? 0)];
  };
  const left = rank(a);
  const right = rank(b);
  for (const [index, value] of left.entries()) {
    const difference = (right[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

/** A short mark of how a kind is stored. */
function storageVersionHash({ group, version, kind }: ResourceDefinition): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

function resourceRow(definition: ResourceDefinition): Json {
  const stored = definition.verbs.includes('list');
  return {
    name: definition.plural,
    singularName: definition.singular,
    namespaced: definition.namespaced,
    kind: definition.kind,
    verbs: definition.verbs,
    ...(definition.shortNames.length === 0 ? {} : { shortNames: definition.shortNames }),
    ...(definition.categories.length === 0 ? {} : { categories: definition.categories }),
    ...(stored ? { storageVersionHash: storageVersionHash(definition) } : {}),
  };
}

function rows(definition: ResourceDefinition): readonly Json[] {
  const below = subresourceRows(definition).map((row) => ({
    name: `${definition.plural}/${row.subresource}`,
    singularName: '',
    namespaced: definition.namespaced,
    ...(row.group === definition.group ? {} : { group: row.group, version: row.version }),
    kind: row.kind,
    verbs: row.verbs,
  }));
  return [resourceRow(definition), ...below];
}

/** APIResourceList of one group and version. */
export function resourceList(
  groupVersion: string,
  definitions: readonly ResourceDefinition[],
): Json {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: definitions.flatMap(rows),
  };
}

/** APIGroup. */
export function apiGroup(group: string, versions: readonly string[]): Json {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

/** APIGroupList of all named groups. */
export function apiGroupList(definitions: readonly ResourceDefinition[]): Json {
  const groups = [...groupVersions(definitions)].filter(([group]) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map(([group, versions]) => apiGroup(group, versions)),
  };
}

/** APIVersions of the core group. */
export function coreVersions(address: string): Json {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}
