import type { Answer } from '../http/answer.ts';
import { isReview } from '../registry/review-kinds.ts';
import { methodNotSupported, unknownResource } from '../status/status-errors.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import { type EvictionServices, evictPod } from './eviction.ts';
import { patchObject } from './patch.ts';
import { getObject, listObjects, watchObjects } from './read.ts';
import type { ResourceCall } from './resource-call.ts';
import { createReview, type Reviewers } from './reviews.ts';
import { createObject, deleteCollection, deleteObject, updateObject } from './write.ts';

export type VerbServices = EvictionServices & Reviewers & { readonly hub: WatchHub };

/** Verbs that a subresource answers. */
const subresourceVerbs: Readonly<Record<string, readonly string[]>> = {
  eviction: ['create'],
  finalize: ['update'],
};
const defaultSubresourceVerbs = ['get', 'patch', 'update'];

function check(verb: string, call: ResourceCall): void {
  const { definition, at } = call;
  if (at.subresource !== undefined) {
    if (!definition.subresources.includes(at.subresource)) throw unknownResource();
    const verbs = subresourceVerbs[at.subresource] ?? defaultSubresourceVerbs;
    if (!verbs.includes(verb)) throw methodNotSupported(definition, verb);
    return;
  }
  const misplaced = at.name !== undefined && verb === 'create';
  if (misplaced || !definition.verbs.includes(verb)) throw methodNotSupported(definition, verb);
}

/** Serves an authorized request for a resource. */
export async function dispatch(
  services: VerbServices,
  verb: string,
  call: ResourceCall,
): Promise<Answer> {
  check(verb, call);
  const { store, writer, hub } = services;
  switch (verb) {
    case 'get':
      return getObject(store, call);
    case 'list':
      return listObjects(store, call);
    case 'watch':
      return watchObjects(hub, call);
    case 'create':
      if (isReview(call.definition)) return createReview(services, call);
      return call.at.subresource === 'eviction'
        ? evictPod(services, call)
        : createObject(writer, call);
    case 'update':
      return updateObject(services, call);
    case 'patch':
      return patchObject(writer, call);
    case 'delete':
      return deleteObject(writer, call);
    default:
      return deleteCollection(store, writer, call);
  }
}
