import type { ResourceDefinition } from '../contract.ts';

/** How discovery shows one subresource. */
export type SubresourceRow = {
  readonly subresource: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

const readWrite = ['get', 'patch', 'update'];

/** The subresources of a kind; an eviction speaks policy/v1. */
export function subresourceRows(definition: ResourceDefinition): readonly SubresourceRow[] {
  const { group, version, kind } = definition;
  return definition.subresources.map((subresource) => {
    switch (subresource) {
      case 'eviction':
        return { subresource, group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
      case 'scale':
        return {
          subresource,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: readWrite,
        };
      case 'finalize':
        return { subresource, group, version, kind, verbs: ['update'] };
      default:
        return { subresource, group, version, kind, verbs: readWrite };
    }
  });
}
