import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import { applyPatches } from '../patches/apply-patches.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { PatchTarget } from '../patches/patch-file-name.ts';

/**
 * A static pod after its patches, as Kubernetes writes a Pod: lists that a patch emptied are gone, and every
 * container says its resources.
 */
export function patchedPod(
  component: PatchTarget,
  pod: JsonObject,
  patches: readonly Patch[],
): JsonObject {
  return withResources(withoutEmptyLists(applyPatches(component, pod, patches)));
}

function withoutEmptyLists(object: JsonObject): JsonObject {
  const members = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (Array.isArray(value)) return value.length === 0 ? [] : [[key, value.map(inside)]];
    return [[key, inside(value)]];
  });
  return Object.fromEntries(members);
}

function inside(value: JsonValue): JsonValue {
  return isJsonObject(value) ? withoutEmptyLists(value as JsonObject) : value;
}

function withResources(pod: JsonObject): JsonObject {
  const { spec } = pod;
  if (!isJsonObject(spec)) return pod;
  const lists = ['containers', 'initContainers'].flatMap((name): [string, JsonValue][] => {
    const containers = spec[name];
    if (!Array.isArray(containers)) return [];
    return [[name, containers.map((container) => withDefault(container as JsonValue))]];
  });
  return { ...pod, spec: { ...(spec as JsonObject), ...Object.fromEntries(lists) } };
}

function withDefault(container: JsonValue): JsonValue {
  return isJsonObject(container) ? { resources: {}, ...(container as JsonObject) } : container;
}
