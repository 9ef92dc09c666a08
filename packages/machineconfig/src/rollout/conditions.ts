import type { Condition } from '@slipway/api';

/** A condition as it is computed: when it last changed is known only beside the one before. */
export type ConditionDraft = Pick<Condition, 'type' | 'status'> & {
  readonly reason: string;
  readonly message: string;
};

/**
 * Sets conditions over those there were, by type; order and unknown types are kept. The transition time
 * moves only when the status flips.
 */
export function setConditions(
  before: readonly Condition[] | undefined,
  drafts: readonly ConditionDraft[],
  now: string,
): readonly Condition[] {
  const old = new Map((before ?? []).map((condition) => [condition.type, condition]));
  const merged = new Map<string, Condition>(old);
  for (const draft of drafts) {
    const was = old.get(draft.type);
    const since = was?.status === draft.status ? was.lastTransitionTime : undefined;
    merged.set(draft.type, { ...draft, lastTransitionTime: since ?? now });
  }
  return [...merged.values()];
}

/** Conditions whose status differs from before; those that were never seen count when they are True. */
export function conditionTransitions(
  before: readonly Condition[] | undefined,
  after: readonly Condition[] | undefined,
): readonly Condition[] {
  const old = new Map((before ?? []).map(({ type, status }) => [type, status]));
  return (after ?? []).filter(({ type, status }) => (old.get(type) ?? 'False') !== status);
}

const longestList = 10;

/** `a, b and 3 more`: names in a message, without end. */
export function listNames(names: readonly string[], limit: number = longestList): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
