import type { ClusterRoleBinding, PolicyRule } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import type {
  ChangeEvent,
  LocalAccess,
  ResourceCatalogue,
  ResourceDefinition,
  StoredObject,
  User,
} from '../contract.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

/** Plurals of the kinds that the index keeps. */
const plurals = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;
type Plural = (typeof plurals)[number];

export type RoleReference = ClusterRoleBinding['roleRef'];
type Subject = NonNullable<ClusterRoleBinding['subjects']>[number];

type Binding = {
  readonly name: string;
  readonly namespace: string;
  readonly subjects: readonly Subject[];
  readonly roleRef: RoleReference;
};

/** One rule that a user has, and through what. */
export type Grant = { readonly rule: PolicyRule; readonly source: string };

function isPlural(plural: string): plural is Plural {
  return plurals.some((entry) => entry === plural);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** Rules of a Role or ClusterRole. */
export function rulesOf(object: StoredObject | undefined): readonly PolicyRule[] {
  const rules = object?.['rules'];
  if (!Array.isArray(rules)) return [];
  return rules.filter(isJsonObject).map((rule) => ({
    verbs: strings(rule['verbs']),
    apiGroups: strings(rule['apiGroups']),
    resources: strings(rule['resources']),
    resourceNames: strings(rule['resourceNames']),
    nonResourceURLs: strings(rule['nonResourceURLs']),
  }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The role that a binding refers to. */
export function roleRefOf(object: StoredObject): RoleReference {
  const reference = isJsonObject(object['roleRef']) ? object['roleRef'] : {};
  return {
    apiGroup: text(reference['apiGroup']),
    kind: text(reference['kind']),
    name: text(reference['name']),
  };
}

function bindingOf(object: StoredObject): Binding {
  const { name = '', namespace = '' } = object.metadata;
  const subjects = Array.isArray(object['subjects']) ? object['subjects'] : [];
  return {
    name,
    namespace,
    roleRef: roleRefOf(object),
    subjects: subjects.filter(isJsonObject).map((subject) => ({
      kind: text(subject['kind']),
      name: text(subject['name']),
      namespace: text(subject['namespace']) || namespace,
    })),
  };
}

function describeSubject(subject: Subject): string {
  const name =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  return `${subject.kind} "${name}"`;
}

function appliesTo(subject: Subject, user: User): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${subject.namespace}:${subject.name}`;
    default:
      return false;
  }
}

/** Roles and bindings in memory, kept current by the changes of the store. */
export class RbacIndex {
  readonly #objects: Record<Plural, Map<string, StoredObject>> = {
    roles: new Map(),
    clusterroles: new Map(),
    rolebindings: new Map(),
    clusterrolebindings: new Map(),
  };
  readonly #bindings = new Map<StoredObject, Binding>();
  readonly #rules = new Map<StoredObject, readonly PolicyRule[]>();

  /** Reads what is stored and follows it until the result is disposed. */
  follow(catalogue: ResourceCatalogue, access: LocalAccess): Disposable {
    for (const plural of plurals) {
      for (const key of [...this.#objects[plural].keys()]) this.#drop(plural, key);
      const definition = catalogue.find(rbacGroup, 'v1', plural);
      if (definition === undefined) continue;
      for (const object of access.list(definition)) this.#put(plural, object);
    }
    return access.onChange((definition, event) => this.#apply(definition, event));
  }

  #apply(definition: ResourceDefinition, event: ChangeEvent): void {
    if (definition.group !== rbacGroup || !isPlural(definition.plural)) return;
    this.#drop(definition.plural, keyOf(event.object));
    if (event.type !== 'DELETED') this.#put(definition.plural, event.object);
  }

  #put(plural: Plural, object: StoredObject): void {
    this.#objects[plural].set(keyOf(object), object);
    if (plural === 'rolebindings' || plural === 'clusterrolebindings') {
      this.#bindings.set(object, bindingOf(object));
    } else this.#rules.set(object, rulesOf(object));
  }

  #drop(plural: Plural, key: string): void {
    const object = this.#objects[plural].get(key);
    if (object !== undefined) {
      this.#bindings.delete(object);
      this.#rules.delete(object);
    }
    this.#objects[plural].delete(key);
  }

  /** The rules of a referenced role; a role that does not exist has none. */
  rulesOfRole(reference: RoleReference, namespace: string): readonly PolicyRule[] {
    const role =
      reference.kind === 'ClusterRole'
        ? this.#objects.clusterroles.get(`/${reference.name}`)
        : this.#objects.roles.get(`${namespace}/${reference.name}`);
    return (role && this.#rules.get(role)) ?? [];
  }

  /** What `user` may do: cluster-wide, and in `namespace` when it is not empty. */
  *grants(user: User, namespace: string): Generator<Grant> {
    yield* this.#grantsOf('clusterrolebindings', user, '');
    if (namespace !== '') yield* this.#grantsOf('rolebindings', user, namespace);
  }

  *#grantsOf(
    plural: 'rolebindings' | 'clusterrolebindings',
    user: User,
    namespace: string,
  ): Generator<Grant> {
    const kind = plural === 'rolebindings' ? 'RoleBinding' : 'ClusterRoleBinding';
    for (const object of this.#objects[plural].values()) {
      const binding = this.#bindings.get(object);
      if (binding === undefined || binding.namespace !== namespace) continue;
      const subject = binding.subjects.find((entry) => appliesTo(entry, user));
      if (subject === undefined) continue;
      const { roleRef } = binding;
      const label = namespace === '' ? binding.name : `${binding.name}/${namespace}`;
      const source = `RBAC: allowed by ${kind} "${label}" of ${roleRef.kind} "${roleRef.name}" to ${describeSubject(subject)}`;
      for (const rule of this.rulesOfRole(roleRef, namespace)) yield { rule, source };
    }
  }
}

function keyOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}
