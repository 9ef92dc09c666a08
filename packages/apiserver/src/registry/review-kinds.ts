import type { ResourceDefinition } from '../contract.ts';
import { builtinSchema } from './builtin-schema.ts';

type Review = {
  readonly group: string;
  readonly package: string;
  readonly kind: string;
  readonly namespaced?: true;
};

const authentication = { group: 'authentication.k8s.io', package: 'io.k8s.api.authentication.v1' };
const authorization = { group: 'authorization.k8s.io', package: 'io.k8s.api.authorization.v1' };

const reviews: readonly Review[] = [
  { ...authentication, kind: 'SelfSubjectReview' },
  { ...authentication, kind: 'TokenReview' },
  { ...authorization, kind: 'LocalSubjectAccessReview', namespaced: true },
  { ...authorization, kind: 'SelfSubjectAccessReview' },
  { ...authorization, kind: 'SelfSubjectRulesReview' },
  { ...authorization, kind: 'SubjectAccessReview' },
];

/** Kinds that are asked by creating them and never stored. */
export const reviewKinds: readonly ResourceDefinition[] = reviews.map(
  ({ group, package: goPackage, kind, namespaced }) => ({
    group,
    version: 'v1',
    kind,
    listKind: `${kind}List`,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: namespaced === true,
    verbs: ['create'],
    subresources: [],
    schema: builtinSchema({ typeName: `${goPackage}.${kind}`, group, version: 'v1', kind }),
    columns: [],
    selectableFields: {},
    custom: false,
    hasGeneration: false,
  }),
);

const reviewNames = new Set(reviewKinds.map((definition) => definition.kind));

/** True for kinds that only answer. */
export function isReview(definition: ResourceDefinition): boolean {
  return !definition.custom && reviewNames.has(definition.kind);
}
