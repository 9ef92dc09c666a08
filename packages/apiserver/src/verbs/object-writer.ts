import { type Clock, jsonEqual } from '@slipway/base';
import type {
  AdmissionPlugin,
  AdmissionRequest,
  FieldError,
  ResourceDefinition,
  StatusError,
  StoredObject,
} from '../contract.ts';
import { alreadyExists, conflict, invalid, notFound } from '../status/status-errors.ts';
import { StaleWrite } from '../storage/stale-write.ts';
import type { Store } from '../storage/store.ts';
import { encodeBody, type RecordKey, StoredRecord } from '../storage/stored-record.ts';
import { type DeleteOptions, markDeleted, mayGo, timestamp } from './deletion.ts';
import { metadataErrors } from './metadata-rules.ts';
import { prepareCreate } from './prepare-create.ts';
import { countGeneration, prepareUpdate } from './prepare-update.ts';
import type { WriteContext } from './write-context.ts';

/** Where an object is: `namespace` is undefined for cluster-scoped kinds. */
export type ObjectPlace = {
  readonly definition: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource?: string;
};

/** What a deletion left: the object that is still there, or its last state. */
export type Deletion = { readonly record: StoredRecord; readonly gone: boolean };

/** Tries of a read-change-write that nobody guarded with a resourceVersion, and of generated names. */
const maxTries = 8;

export type WriterOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly admission: readonly AdmissionPlugin[];
};

/** The storage key of a definition. */
export function resourceKey(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.plural}`;
}

/** The one way in which objects change: prepare, default, admit, validate, store. */
export class ObjectWriter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #admission: readonly AdmissionPlugin[];

  constructor(options: WriterOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#admission = options.admission;
  }

  /** Creates a decoded object; throws StatusError (400, 403, 409, 422). */
  async create(
    definition: ResourceDefinition,
    namespace: string | undefined,
    object: StoredObject,
    context: WriteContext,
  ): Promise<StoredRecord> {
    let name = object.metadata.name ?? '';
    const tries = name === '' ? maxTries : 1;
    return retried(
      tries,
      async () => {
        const ready = await this.#admitNew(definition, namespace, object, context);
        name = ready.metadata.name ?? '';
        const key = { resource: resourceKey(definition), namespace: namespace ?? '', name };
        return this.#put(key, undefined, ready, context);
      },
      () => alreadyExists(definition, name),
    );
  }

  async #admitNew(
    definition: ResourceDefinition,
    namespace: string | undefined,
    object: StoredObject,
    context: WriteContext,
  ): Promise<StoredObject> {
    const { user } = context;
    const now = timestamp(this.#clock.now());
    const stamped = prepareCreate(definition, object, { namespace, user, now });
    const defaulted = definition.schema.applyDefaults(stamped);
    const place = { definition, namespace, name: stamped.metadata.name ?? '' };
    const mutated = await this.#mutate({
      ...requestOf(place, context),
      operation: 'CREATE',
      object: defaulted,
    });
    const ready = definition.strategy?.prepareForCreate?.(mutated, { user, now }) ?? mutated;
    checkValid(definition, ready, undefined);
    await this.judge({ ...requestOf(place, context), operation: 'CREATE', object: ready }, context);
    if (definition.warning !== undefined) context.warnings.push(definition.warning);
    return ready;
  }

  /**
   * Replaces the object by what `change` makes of it. Without a resourceVersion in the result it is
   * tried again when somebody else was faster. Returning undefined writes nothing.
   */
  async update(
    place: ObjectPlace,
    change: (object: StoredObject) => StoredObject | undefined | Promise<StoredObject | undefined>,
    context: WriteContext,
  ): Promise<StoredRecord> {
    const { definition, namespace, name } = place;
    const key: RecordKey = { resource: resourceKey(definition), namespace: namespace ?? '', name };
    return retried(
      maxTries,
      async () => {
        const current = this.#store.get(key);
        if (current === undefined) throw notFound(definition, name);
        const old = current.object(definition);
        const wanted = await change(old);
        if (wanted === undefined) return current;
        checkVersion(definition, wanted, old);
        const next = await this.#admitChanged(place, wanted, old, context);
        if (jsonEqual(next, old)) return current;
        return this.#put(key, current, next, { ...context, remove: mayGo(definition, next) });
      },
      () => conflict(definition, name),
    );
  }

  async #admitChanged(
    place: ObjectPlace,
    wanted: StoredObject,
    old: StoredObject,
    context: WriteContext,
  ): Promise<StoredObject> {
    const { definition, subresource } = place;
    const prepare = (object: StoredObject) => {
      const prepared = prepareUpdate(definition, object, old, subresource);
      return definition.strategy?.prepareForUpdate?.(prepared, old, subresource) ?? prepared;
    };
    const defaulted = definition.schema.applyDefaults(prepare(wanted));
    const request = { ...requestOf(place, context), operation: 'UPDATE' as const, oldObject: old };
    const mutated = await this.#mutate({ ...request, object: defaulted });
    const settled = mutated === defaulted ? defaulted : prepare(mutated);
    const ready = countGeneration(definition, settled, old);
    checkValid(definition, ready, old);
    await this.judge({ ...request, object: ready }, context);
    if (definition.warning !== undefined) context.warnings.push(definition.warning);
    return ready;
  }

  /** Deletes at once, or marks the object when finalizers or a grace period hold it. */
  async remove(
    place: ObjectPlace,
    options: DeleteOptions,
    context: WriteContext,
  ): Promise<Deletion> {
    const { definition, namespace, name } = place;
    const key: RecordKey = { resource: resourceKey(definition), namespace: namespace ?? '', name };
    return retried(
      maxTries,
      async () => {
        const current = this.#store.get(key);
        if (current === undefined) throw notFound(definition, name);
        const old = current.object(definition);
        checkPreconditions(definition, old, options);
        const request = {
          ...requestOf(place, context),
          operation: 'DELETE' as const,
          oldObject: old,
        };
        await this.judge({ ...request, options: { ...options } }, context);
        const marked = markDeleted(definition, old, options, this.#clock.now());
        const gone = mayGo(definition, marked);
        if (!gone && jsonEqual(marked, old)) return { record: current, gone };
        const last = gone ? old : marked;
        const record = await this.#put(key, current, last, { ...context, remove: gone });
        return { record, gone };
      },
      () => conflict(definition, name),
    );
  }

  async #put(
    key: RecordKey,
    current: StoredRecord | undefined,
    object: StoredObject,
    context: WriteContext & { readonly remove?: boolean },
  ): Promise<StoredRecord> {
    if (context.dryRun) {
      if (current === undefined && this.#store.get(key) !== undefined)
        throw new StaleWrite(undefined);
      const revision = current?.revision ?? 0;
      return new StoredRecord(key, revision, encodeBody(object, revision));
    }
    return this.#store.write({
      ...key,
      expected: current?.revision,
      remove: context.remove ?? false,
      body: (revision) => encodeBody(object, revision),
    });
  }

  async #mutate(
    request: AdmissionRequest & { readonly object: StoredObject },
  ): Promise<StoredObject> {
    let object = request.object;
    for (const plugin of this.#admission) {
      const changed = await plugin.mutate?.({ ...request, object });
      if (changed !== undefined) object = changed;
    }
    return object;
  }

  /** Runs validating admission; public for requests that change no object of their own kind (eviction). */
  async judge(request: AdmissionRequest, context: WriteContext): Promise<void> {
    for (const plugin of this.#admission) {
      const warnings = await plugin.validate?.(request);
      if (warnings !== undefined) context.warnings.push(...warnings);
    }
  }
}

function requestOf(
  place: ObjectPlace,
  context: WriteContext,
): Pick<AdmissionRequest, 'definition' | 'name' | 'user' | 'dryRun'> & Partial<AdmissionRequest> {
  return {
    definition: place.definition,
    name: place.name,
    user: context.user,
    dryRun: context.dryRun,
    ...(place.subresource === undefined ? {} : { subresource: place.subresource }),
    ...(place.namespace === undefined ? {} : { namespace: place.namespace }),
    ...(context.options === undefined ? {} : { options: context.options }),
  };
}

function checkValid(
  definition: ResourceDefinition,
  object: StoredObject,
  old: StoredObject | undefined,
): void {
  const errors: readonly FieldError[] = [
    ...metadataErrors(definition, object, old),
    ...definition.schema.validate(object, old),
    ...(definition.strategy?.validate?.(object, old) ?? []),
  ];
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
}

function checkVersion(
  definition: ResourceDefinition,
  wanted: StoredObject,
  old: StoredObject,
): void {
  const { resourceVersion, uid } = wanted.metadata;
  const name = old.metadata.name ?? '';
  if (uid !== undefined && uid !== '' && uid !== old.metadata.uid) {
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
    );
  }
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') {
    if (definition.unconditionalUpdate ?? !definition.custom) return;
    const message = 'Invalid value: 0: must be specified for an update';
    throw invalid(definition, name, [
      { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message },
    ]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) throw conflict(definition, name);
}

function checkPreconditions(
  definition: ResourceDefinition,
  old: StoredObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const name = old.metadata.name ?? '';
  if (uid !== undefined && uid !== old.metadata.uid) {
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      definition,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${old.metadata.resourceVersion}`,
    );
  }
}

/** Runs `attempt` again while somebody else's write came in between. */
async function retried<T>(
  tries: number,
  attempt: () => Promise<T>,
  failure: () => StatusError,
): Promise<T> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
  throw failure();
}
