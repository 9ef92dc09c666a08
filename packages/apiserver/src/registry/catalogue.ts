import type { ResourceCatalogue, ResourceDefinition } from '../contract.ts';

/** A catalogue that counts its changes, so that discovery and OpenAPI know when to rebuild. */
export type CountedCatalogue = ResourceCatalogue & {
  /** Grows with every `add` and `remove`. */
  readonly changes: () => number;
  /** All definitions of one group and version, in the order in which they were added. */
  readonly ofVersion: (group: string, version: string) => readonly ResourceDefinition[];
};

/** An empty catalogue; `initial` is added to it. */
export function createCatalogue(initial: readonly ResourceDefinition[] = []): CountedCatalogue {
  const byPlural = new Map<string, ResourceDefinition>();
  let changes = 0;
  const keyOf = (group: string, version: string, plural: string) => `${group}/${version}/${plural}`;
  function add(definition: ResourceDefinition): void {
    byPlural.set(keyOf(definition.group, definition.version, definition.plural), definition);
    changes += 1;
  }
  for (const definition of initial) add(definition);
  return {
    find: (group, version, plural) => byPlural.get(keyOf(group, version, plural)),
    findKind: (group, version, kind) =>
      [...byPlural.values()].find(
        (entry) => entry.group === group && entry.version === version && entry.kind === kind,
      ),
    all: () => [...byPlural.values()],
    add,
    remove(group, version, plural) {
      if (byPlural.delete(keyOf(group, version, plural))) changes += 1;
    },
    changes: () => changes,
    ofVersion: (group, version) =>
      [...byPlural.values()].filter((entry) => entry.group === group && entry.version === version),
  };
}
