import { isJsonObject, jsonEqual } from '@slipway/base';
import { identity, indexIn, orderElements } from './list-order.ts';
import { PatchError } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';

type Json = Record<string, unknown>;

const directive = '$patch';
const retainKeys = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

function isDirective(key: string): boolean {
  return (
    key === directive ||
    key === retainKeys ||
    key.startsWith(orderPrefix) ||
    key.startsWith(deletePrefix)
  );
}

/** A value that is new to the object: its directives and nulls mean nothing there. */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter(
        (item) =>
          !(isJsonObject(item) && item[directive] !== undefined && item[directive] !== 'merge'),
      )
      .map(plainValue);
  }
  if (!isJsonObject(value)) return value;
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    if (!isDirective(key) && item !== null) result[key] = plainValue(item);
  }
  return result;
}

function listOf(value: unknown, key: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new PatchError(`error decoding patch: ${key} must be a list`);
}

function checkRetained(patch: Json): readonly unknown[] {
  const kept = listOf(patch[retainKeys], retainKeys);
  for (const key of Object.keys(patch)) {
    if (!isDirective(key) && patch[key] !== null && !kept.includes(key)) {
      throw new PatchError(`invalid patch: ${key} is set but not in the list of ${retainKeys}`);
    }
  }
  return kept;
}

/** Applies `$patch` elements: `replace` empties the list first, `delete` drops elements by merge key. */
function applyElementDirectives(
  live: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string,
) {
  let kept = [...live];
  const rest: unknown[] = [];
  let replaced = false;
  for (const element of patch) {
    const word = isJsonObject(element) ? element[directive] : undefined;
    if (word === undefined) rest.push(element);
    else if (word === 'replace') replaced = true;
    else if (word === 'delete') {
      if (identity(element, mergeKey) === undefined) {
        throw new PatchError(`delete patch type with no merge key defined: ${mergeKey}`);
      }
      kept = kept.filter(
        (item) => !jsonEqual(identity(item, mergeKey), identity(element, mergeKey)),
      );
    } else throw new PatchError(`unknown patch type found: ${String(word)}`);
  }
  return { kept: replaced ? [] : kept, rest };
}

function mergeObjects(
  live: readonly unknown[],
  patch: readonly unknown[],
  schema: PatchSchema,
): unknown[] {
  const { mergeKey } = schema;
  if (mergeKey === '') throw new PatchError('cannot merge lists without merge key');
  const { kept, rest } = applyElementDirectives(live, patch, mergeKey);
  const merged = [...kept];
  for (const element of rest) {
    if (identity(element, mergeKey) === undefined) {
      throw new PatchError(
        `map: ${JSON.stringify(element)} does not contain declared merge key: ${mergeKey}`,
      );
    }
    const index = indexIn(merged, element, mergeKey);
    if (index < 0) merged.push(plainValue(element));
    else merged[index] = mergeValue(merged[index], element, schema.element());
  }
  return orderElements(merged, { patch: rest, live: kept, mergeKey });
}

function mergeScalars(live: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const merged = [...live];
  for (const value of patch) if (indexIn(merged, value, '') < 0) merged.push(value);
  return orderElements(merged, { patch, live, mergeKey: '' });
}

function mergeList(
  live: readonly unknown[],
  patch: readonly unknown[],
  schema: PatchSchema,
): unknown[] {
  if (!schema.strategy.includes('merge')) return plainValue(patch) as unknown[];
  const objects = [...live, ...patch].some(isJsonObject);
  return objects ? mergeObjects(live, patch, schema) : mergeScalars(live, patch);
}

function mergeValue(live: unknown, patch: unknown, schema: PatchSchema): unknown {
  if (Array.isArray(live) && Array.isArray(patch)) return mergeList(live, patch, schema);
  if (isJsonObject(live) && isJsonObject(patch)) {
    return schema.strategy.includes('replace')
      ? plainValue(patch)
      : mergeObject(live, patch, schema);
  }
  return plainValue(patch);
}

/** `$setElementOrder/x`: merges list `x` and puts it into the given order. */
function applyOrder(result: Json, patch: Json, key: string, schema: PatchSchema): void {
  const field = key.slice(orderPrefix.length);
  const order = listOf(patch[key], key);
  const before = result[field];
  const change = patch[field];
  if (before === undefined && change === undefined) return;
  const inner = schema.member(field);
  const merged =
    change === undefined
      ? listOf(before, field)
      : mergeList(listOf(before, field), listOf(change, field), inner);
  const { mergeKey } = inner;
  result[field] = orderElements(merged, { patch: order, live: listOf(before, field), mergeKey });
}

function applyPrimitiveDeletes(result: Json, patch: Json): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(deletePrefix)) continue;
    const field = key.slice(deletePrefix.length);
    if (result[field] === undefined) continue;
    const gone = listOf(patch[key], key);
    result[field] = listOf(result[field], field).filter((value) => indexIn(gone, value, '') < 0);
  }
}

function mergeMembers(result: Json, patch: Json, schema: PatchSchema): void {
  for (const [key, value] of Object.entries(patch)) {
    if (isDirective(key) || patch[`${orderPrefix}${key}`] !== undefined) continue;
    if (value === null) delete result[key];
    else if (result[key] === undefined) result[key] = plainValue(value);
    else result[key] = mergeValue(result[key], value, schema.member(key));
  }
}

function mergeObject(live: Json, patch: Json, schema: PatchSchema): Json {
  const word = patch[directive];
  if (word === 'replace') return plainValue(patch) as Json;
  if (word === 'delete') return {};
  if (word !== undefined && word !== 'merge') {
    throw new PatchError(`unknown patch type found: ${String(word)}`);
  }
  let result: Json = { ...live };
  if (patch[retainKeys] !== undefined) {
    const kept = checkRetained(patch);
    result = Object.fromEntries(Object.entries(result).filter(([key]) => kept.includes(key)));
  }
  applyPrimitiveDeletes(result, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(orderPrefix)) applyOrder(result, patch, key, schema);
  }
  mergeMembers(result, patch, schema);
  return result;
}

/**
 * Strategic merge patch (apimachinery `strategicpatch`): lists merge by the keys of the schema; `$patch`,
 * `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList` are obeyed. Throws a PatchError for
 * patches that make no sense. Neither argument is changed.
 */
export function strategicMergePatch(target: unknown, patch: unknown, schema: PatchSchema): unknown {
  if (!isJsonObject(patch) || !isJsonObject(target)) {
    throw new PatchError('error decoding patch: the patch is not an object');
  }
  return mergeObject(target, patch, schema);
}
