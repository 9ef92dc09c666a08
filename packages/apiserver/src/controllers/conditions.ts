import type { Condition } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import type { StoredObject } from '../contract.ts';

/** RFC 3339 in whole seconds, as metav1.Time is written. */
export function timeStamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A member of the object that should be an object; empty when it is absent. */
export function part(object: StoredObject, name: string): Readonly<Record<string, unknown>> {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** Conditions of an object's status. */
export function conditionsOf(object: StoredObject): readonly Condition[] {
  const { conditions } = part(object, 'status');
  return Array.isArray(conditions) ? conditions : [];
}

/** True when the condition is there and `True`. */
export function hasCondition(object: StoredObject, type: string): boolean {
  return conditionsOf(object).some((entry) => entry.type === type && entry.status === 'True');
}

/** Sets one condition; the transition time moves only when the status does. */
export function withCondition(
  conditions: readonly Condition[],
  wanted: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly Condition[] {
  const before = conditions.find((entry) => entry.type === wanted.type);
  const lastTransitionTime =
    before?.status === wanted.status && before.lastTransitionTime !== undefined
      ? before.lastTransitionTime
      : timeStamp(nowMs);
  const next: Condition = { lastTransitionTime, ...wanted };
  if (before === undefined) return [...conditions, next];
  return conditions.map((entry) => (entry === before ? next : entry));
}
