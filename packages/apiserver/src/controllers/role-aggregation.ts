import { canonicalJson, compareBytes, jsonEqual } from '@slipway/base';
import { rbacGroup, rulesOf } from '../auth/rbac-index.ts';
import type { StoredObject } from '../contract.ts';
import { readList } from '../registry/read-path.ts';
import { matchesLabelSelector } from '../request/object-selector.ts';
import type { ControllerOptions } from './controller-options.ts';
import { Loop } from './loop.ts';

function selectorsOf(role: StoredObject): readonly unknown[] {
  return readList(role, 'aggregationRule', 'clusterRoleSelectors');
}

function aggregate(role: StoredObject, all: readonly StoredObject[]): readonly unknown[] {
  const selectors = selectorsOf(role);
  const parts = all
    .filter((other) => other.metadata.name !== role.metadata.name)
    .filter((other) =>
      selectors.some((entry) => matchesLabelSelector(entry, other.metadata.labels)),
    )
    .toSorted((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
  const byText = new Map(
    parts.flatMap((part) => {
      const stored = part['rules'];
      return Array.isArray(stored)
        ? stored.map((rule) => [canonicalJson(rule), rule] as const)
        : [];
    }),
  );
  return [...byText.values()];
}

/** Keeps the rules of ClusterRoles with an `aggregationRule` equal to those of the roles it selects. */
export function createRoleAggregation(options: ControllerOptions): Loop {
  const { access, catalogue } = options;
  const definition = () => catalogue.find(rbacGroup, 'v1', 'clusterroles');
  const roles = () => {
    const served = definition();
    return served === undefined ? [] : access.list(served);
  };
  const aggregating = () =>
    roles()
      .filter((role) => selectorsOf(role).length > 0)
      .map((role) => role.metadata.name ?? '');
  return new Loop({
    name: 'cluster-role-aggregation',
    ...options,
    seeds: aggregating,
    keysOf: ({ group, plural }) =>
      group === rbacGroup && plural === 'clusterroles' ? aggregating() : [],
    async reconcile(name) {
      const served = definition();
      if (served === undefined) return undefined;
      await access.update(served, undefined, name, (role) => {
        if (selectorsOf(role).length === 0) return undefined;
        const rules = aggregate(role, roles());
        if (jsonEqual(rulesOf({ ...role, rules }), rulesOf(role))) return undefined;
        return { ...role, rules };
      });
      return undefined;
    },
  });
}
