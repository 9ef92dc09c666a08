import type { ResourceDefinition } from '../contract.ts';
import { patchTypes } from '../patch/apply-patch.ts';

type Json = Readonly<Record<string, unknown>>;

function parameter(name: string, place: 'query' | 'path' = 'query'): Json {
  const schema = { type: 'string', uniqueItems: true };
  return { name, in: place, schema, ...(place === 'path' ? { required: true } : {}) };
}

const listParameters = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
].map((name) => parameter(name));
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) =>
  parameter(name),
);
const deleteParameters = ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'].map((name) =>
  parameter(name),
);

type Operation = {
  readonly action: string;
  readonly parameters: readonly Json[];
  /** Media types and schema of the body. */
  readonly body?: { readonly types: readonly string[]; readonly schema: Json };
};

function operation(definition: ResourceDefinition, schema: Json, given: Operation): Json {
  const { group, version, kind } = definition;
  const content = (types: readonly string[], of: Json) =>
    Object.fromEntries(types.map((type) => [type, { schema: of }]));
  return {
    ...(given.parameters.length === 0 ? {} : { parameters: given.parameters }),
    ...(given.body === undefined
      ? {}
      : { requestBody: { required: true, content: content(given.body.types, given.body.schema) } }),
    responses: { 200: { description: 'OK', content: content(['application/json'], schema) } },
    'x-kubernetes-action': given.action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

/** Paths of one kind, as kubectl reads them: verbs, query parameters and patch types. */
export function operationPaths(definition: ResourceDefinition, schema: Json): Json {
  const { group, version, plural, verbs } = definition;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = definition.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `${root}${scope}/${plural}`;
  const body = { types: ['application/json'], schema };
  const post = {
    post: operation(definition, schema, { action: 'post', parameters: writeParameters, body }),
  };
  const inNamespace = definition.namespaced ? [parameter('namespace', 'path')] : [];
  if (!verbs.includes('list')) return { [collection]: { ...post, parameters: inNamespace } };
  const make = (given: Operation) => operation(definition, schema, given);
  const patchBody = { types: patchTypes(definition), schema: { type: 'object' } };
  const item = {
    get: make({ action: 'get', parameters: [] }),
    put: make({ action: 'put', parameters: writeParameters, body }),
    patch: make({
      action: 'patch',
      parameters: [...writeParameters, parameter('force')],
      body: patchBody,
    }),
    parameters: [parameter('name', 'path'), ...inNamespace],
  };
  const paths: Record<string, Json> = {
    [collection]: {
      get: make({ action: 'list', parameters: listParameters }),
      ...post,
      delete: make({ action: 'deletecollection', parameters: listParameters }),
      parameters: inNamespace,
    },
    [`${collection}/{name}`]: {
      ...item,
      delete: make({ action: 'delete', parameters: deleteParameters }),
    },
  };
  if (definition.subresources.includes('status')) paths[`${collection}/{name}/status`] = item;
  return paths;
}
