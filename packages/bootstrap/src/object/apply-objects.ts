import type { KubeObject, ObjectMeta } from '@slipway/api';
import { describeError, TerminalError } from '@slipway/base';
import { isNotFound, type KubeClient, type ObjectKey } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';
import { type ClusterObject, describeObject } from './cluster-object.ts';
import { meansTheSame } from './compare.ts';
import { type ApiCallOptions, retryApiCall } from './retry-api-call.ts';

/** What became of an object. `kept`: it exists and is left as its owner made it. */
export type ApplyOutcome = 'created' | 'updated' | 'unchanged' | 'kept';

export type AppliedObject = ClusterObject & {
  readonly outcome: ApplyOutcome;
  /** As the cluster has it now. */
  readonly live: KubeObject;
};

function keyOf({ resource, object }: ClusterObject): ObjectKey {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return resource.namespaced ? { namespace, name } : name;
}

/** The object in the cluster; undefined when there is none. */
export async function readObject(
  client: KubeClient,
  wanted: ClusterObject,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(wanted.resource, keyOf(wanted));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Labels and annotations of others stay; the rest is what is wanted. */
function replacement(live: KubeObject, wanted: KubeObject): KubeObject {
  const { managedFields: _, ...metadata }: ObjectMeta = live.metadata ?? {};
  const labels = { ...metadata.labels, ...wanted.metadata?.labels };
  const annotations = { ...metadata.annotations, ...wanted.metadata?.annotations };
  return {
    ...wanted,
    metadata: {
      ...metadata,
      ...wanted.metadata,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      // The version that was compared: somebody else's write in between is a conflict.
      ...(metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: metadata.resourceVersion }),
    },
  };
}

async function applyOnce(client: KubeClient, wanted: ClusterObject): Promise<AppliedObject> {
  const { resource, object, ifPresent = 'update' } = wanted;
  const live = await readObject(client, wanted);
  if (live === undefined) {
    return { ...wanted, outcome: 'created', live: await client.create(resource, object) };
  }
  const presence = typeof ifPresent === 'function' ? ifPresent(live) : ifPresent;
  if (presence === 'keep') return { ...wanted, outcome: 'kept', live };
  if (meansTheSame(live, object)) return { ...wanted, outcome: 'unchanged', live };
  const updated = await client.update(resource, replacement(live, object));
  return { ...wanted, outcome: 'updated', live: updated };
}

/**
 * Creates what is absent and brings what is different to the wanted form, one after the other; a second
 * call writes nothing. Conflicts and failures that pass are retried for `timeoutMs` per object. Throws a
 * TerminalError that names the object and the cause.
 */
export async function applyObjects(
  client: KubeClient,
  objects: readonly ClusterObject[],
  options: ApiCallOptions,
): Promise<readonly AppliedObject[]> {
  const applied: AppliedObject[] = [];
  for (const wanted of objects) {
    try {
      applied.push(await retryApiCall(() => applyOnce(client, wanted), options));
    } catch (cause) {
      if (options.signal?.aborted === true) throw cause;
      const code: BootstrapErrorCode = 'bootstrap.object.not-applied';
      throw new TerminalError(`apply ${describeObject(wanted)}: ${describeError(cause)}`, {
        code,
        cause,
      });
    }
  }
  return applied;
}
