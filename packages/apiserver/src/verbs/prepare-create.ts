import { randomBytes, randomUUID } from 'node:crypto';
import type { ResourceDefinition, StoredObject, User } from '../contract.ts';
import { badRequest } from '../status/status-errors.ts';

/** Letters of generated names: no vowels, so that no words appear (apimachinery `rand.String`). */
const nameLetters = 'bcdfghjklmnpqrstvwxz2456789';
const maxGeneratedBase = 58;

function generatedName(base: string): string {
  const letters = [...randomBytes(5)].map((byte) => nameLetters[byte % nameLetters.length]);
  return `${base.slice(0, maxGeneratedBase)}${letters.join('')}`;
}

export type CreateSetting = {
  /** From the path; undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  readonly user: User;
  /** RFC 3339 in seconds. */
  readonly now: string;
};

function checkPlace(object: StoredObject, setting: CreateSetting): void {
  const { namespace, resourceVersion } = object.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '') {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  if (namespace !== undefined && namespace !== '' && namespace !== (setting.namespace ?? '')) {
    throw badRequest(
      setting.namespace === undefined
        ? 'namespace may not be set on cluster-scoped objects'
        : 'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}

/** The object as it is first stored: identity stamped, status and deletion left out. Throws 400 for a wrong place. */
export function prepareCreate(
  definition: ResourceDefinition,
  object: StoredObject,
  setting: CreateSetting,
): StoredObject {
  checkPlace(object, setting);
  const { metadata, ...rest } = object;
  const {
    name,
    generateName,
    namespace: _namespace,
    resourceVersion: _resourceVersion,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _grace,
    managedFields: _managedFields,
    generation: _generation,
    ...kept
  } = metadata;
  const given = name === undefined || name === '' ? undefined : name;
  const chosen = given ?? (generateName ? generatedName(generateName) : undefined);
  const prepared: StoredObject = {
    ...rest,
    metadata: {
      ...(chosen === undefined ? {} : { name: chosen }),
      ...(generateName ? { generateName } : {}),
      ...(setting.namespace === undefined ? {} : { namespace: setting.namespace }),
      ...kept,
      uid: randomUUID(),
      creationTimestamp: setting.now,
      ...(definition.hasGeneration ? { generation: 1 } : {}),
    },
  };
  return definition.subresources.includes('status') ? withoutStatus(prepared) : prepared;
}

function withoutStatus(object: StoredObject): StoredObject {
  const { status: _status, ...rest } = object;
  return rest as StoredObject;
}
