import type { ResourceDefinition } from '../contract.ts';
import { groupVersions } from './legacy-discovery.ts';
import { subresourceRows } from './subresource-rows.ts';

type Json = Readonly<Record<string, unknown>>;

function resource(definition: ResourceDefinition): Json {
  const { group, version, kind } = definition;
  const below = subresourceRows(definition).map((row) => ({
    subresource: row.subresource,
    responseKind: { group: row.group, version: row.version, kind: row.kind },
    verbs: row.verbs,
  }));
  return {
    resource: definition.plural,
    responseKind: { group, version, kind },
    scope: definition.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: definition.singular,
    verbs: definition.verbs,
    ...(definition.shortNames.length === 0 ? {} : { shortNames: definition.shortNames }),
    ...(definition.categories.length === 0 ? {} : { categories: definition.categories }),
    ...(below.length === 0 ? {} : { subresources: below }),
  };
}

/** APIGroupDiscoveryList v2 of the core group, or of all others. */
export function groupDiscovery(definitions: readonly ResourceDefinition[], core: boolean): Json {
  const groups = [...groupVersions(definitions)].filter(([group]) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        resources: definitions
          .filter((entry) => entry.group === group && entry.version === version)
          .map(resource),
        freshness: 'Current',
      })),
    })),
  };
}
