import { type LabelSelector, matchesLabels, validateSelector } from '@slipway/api';
import type { Issue } from '@slipway/base';
import { issueCode } from './errors.ts';

/** True for a selector without any condition; such a selector selects nothing in a pool. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return (
    Object.keys(selector?.matchLabels ?? {}).length === 0 &&
    (selector?.matchExpressions ?? []).length === 0
  );
}

/** True when a pool's selector chooses an object with these labels. Unlike elsewhere in Kubernetes an empty one chooses nothing. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return !isEmptySelector(selector) && matchesLabels(selector, labels);
}

/** What is wrong with a pool's selector that stands at `path`. */
export function selectorIssues(
  selector: LabelSelector | undefined,
  path: string,
): readonly Issue[] {
  if (selector !== undefined && !isEmptySelector(selector)) return validateSelector(selector, path);
  return [
    {
      code: issueCode.selectorEmpty,
      severity: 'error',
      path,
      message: 'an empty selector selects nothing',
      hint: 'name a label with matchLabels or matchExpressions',
    },
  ];
}
