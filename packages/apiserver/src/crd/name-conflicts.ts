import type { Condition, CustomResourceDefinition } from '@slipway/api';
import type { ResourceCatalogue } from '../contract.ts';
import { namesOf } from './crd-object.ts';

function conflict(reason: string, message: string): Condition {
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

/** Resource names that a definition of the same group has accepted. */
function takenNames(crd: CustomResourceDefinition): readonly string[] {
  const accepted = crd.status?.acceptedNames ?? {};
  const { shortNames } = accepted;
  return [
    accepted['plural'],
    accepted['singular'],
    ...(Array.isArray(shortNames) ? shortNames : []),
  ].filter((name): name is string => typeof name === 'string' && name !== '');
}

function takenKinds(crd: CustomResourceDefinition): readonly unknown[] {
  const accepted = crd.status?.acceptedNames ?? {};
  return [accepted['kind'], accepted['listKind']].filter(Boolean);
}

/**
 * Whether the names of `crd` are taken by another definition of its group or by a built-in kind.
 * Returns the NamesAccepted condition that says so; undefined: they are free.
 */
export function nameConflicts(
  crd: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
  catalogue: ResourceCatalogue,
): Condition | undefined {
  const others = all.filter(
    (other) => other.spec.group === crd.spec.group && other.metadata?.name !== crd.metadata?.name,
  );
  const builtIn = catalogue
    .all()
    .filter((definition) => !definition.custom && definition.group === crd.spec.group);
  const names = new Set([
    ...others.flatMap(takenNames),
    ...builtIn.flatMap((entry) => [entry.plural, entry.singular, ...entry.shortNames]),
  ]);
  const kinds = new Set([
    ...others.flatMap(takenKinds),
    ...builtIn.flatMap((entry) => [entry.kind, entry.listKind]),
  ]);
  const own = namesOf(crd);
  if (names.has(own.plural)) return conflict('PluralConflict', `"${own.plural}" is already in use`);
  if (names.has(own.singular)) {
    return conflict('SingularConflict', `"${own.singular}" is already in use`);
  }
  const short = own.shortNames.find((name) => names.has(name));
  if (short !== undefined) return conflict('ShortNamesConflict', `"${short}" is already in use`);
  if (kinds.has(own.kind)) return conflict('KindConflict', `"${own.kind}" is already in use`);
  if (kinds.has(own.listKind)) {
    return conflict('ListKindConflict', `"${own.listKind}" is already in use`);
  }
  return undefined;
}
