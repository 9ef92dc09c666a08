import type { KubeObject, Resource } from '@slipway/api';
import { isAlreadyExists, isNotFound, type KubeClient } from '@slipway/kube';

/** Creates an object when it is absent; one that exists is left as it is. Returns whether it was created. */
export async function createMissing<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<boolean> {
  try {
    await client.get(resource, object.metadata?.name ?? '');
    return false;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    await client.create(resource, object);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}
