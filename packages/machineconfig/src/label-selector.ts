import type { LabelSelector, LabelSelectorRequirement } from '@slipway/api';
import type { Issue } from '@slipway/base';
import { issueCode } from './errors.ts';

type Labels = Readonly<Record<string, string>>;

function matchesRequirement(requirement: LabelSelectorRequirement, labels: Labels): boolean {
  const value = labels[requirement.key];
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** True for a selector without any condition; such a selector selects nothing in a pool. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return (
    Object.keys(selector?.matchLabels ?? {}).length === 0 &&
    (selector?.matchExpressions ?? []).length === 0
  );
}

/** True when all conditions hold. An empty or absent selector, and an unknown operator, match nothing. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Labels | undefined,
): boolean {
  if (isEmptySelector(selector)) return false;
  const have = labels ?? {};
  const exact = Object.entries(selector?.matchLabels ?? {});
  return (
    exact.every(([key, value]) => have[key] === value) &&
    (selector?.matchExpressions ?? []).every((item) => matchesRequirement(item, have))
  );
}

function requirementFault(requirement: LabelSelectorRequirement): string | undefined {
  const count = requirement.values?.length ?? 0;
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      return count === 0 ? `operator ${requirement.operator} needs at least one value` : undefined;
    case 'Exists':
    case 'DoesNotExist':
      return count > 0 ? `operator ${requirement.operator} takes no values` : undefined;
    default:
      return `unknown operator ${JSON.stringify(requirement.operator)}: use In, NotIn, Exists or DoesNotExist`;
  }
}

/** What is wrong with a selector that was written at `path`. */
export function selectorIssues(
  selector: LabelSelector | undefined,
  path: string,
): readonly Issue[] {
  if (isEmptySelector(selector))
    return [
      {
        code: issueCode.selectorEmpty,
        severity: 'error',
        path,
        message: 'an empty selector selects nothing',
        hint: 'name a label with matchLabels or matchExpressions',
      },
    ];
  return (selector?.matchExpressions ?? []).flatMap((requirement, index) => {
    const message = requirementFault(requirement);
    if (message === undefined) return [];
    const at = `${path}.matchExpressions[${index}]`;
    return [{ code: issueCode.selectorInvalid, severity: 'error', path: at, message }];
  });
}
