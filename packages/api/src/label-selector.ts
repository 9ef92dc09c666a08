import { compareBytes, type Issue } from '@slipway/base';
import type { ApiIssueCode } from './errors.ts';
import type { LabelSelector, LabelSelectorRequirement } from './object-meta.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Whether a selector chooses an object with these labels. As in Kubernetes: an absent selector chooses
 * nothing, an empty one everything; `NotIn` holds for an object without the label. A requirement with an
 * unknown operator holds for nothing; `validateSelector` reports it.
 */
export function matchesLabels(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(labels, key) === value) &&
    matchExpressions.every((requirement) => meets(labels, requirement))
  );
}

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function meets(labels: Labels, { key, operator, values = [] }: LabelSelectorRequirement): boolean {
  const value = labelOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      // Types promise the four; objects from the API may hold anything.
      return false;
  }
}

/**
 * A selector in the syntax of the `labelSelector` parameter and of `kubectl -l`, its parts in byte order:
 * `app=web,tier in (a,b),!legacy`. Empty for a selector that chooses everything.
 */
export function formatSelector(selector: LabelSelector): string {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const equalities = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...equalities, ...matchExpressions.map(formatRequirement)].sort(compareBytes).join(',');
}

function formatRequirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const list = `(${[...values].sort(compareBytes).join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
  }
}

const labelKey =
  /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** What Kubernetes refuses in a label selector. `path` is where the selector stands: `spec.nodeSelector`. */
export function validateSelector(selector: LabelSelector, path: string): readonly Issue[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) => {
      const where = `${path}.matchLabels[${key}]`;
      return [...keyIssues(key, where), ...valueIssues(value, where)];
    }),
    ...matchExpressions.flatMap((requirement, index) =>
      requirementIssues(requirement, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function requirementIssues(requirement: LabelSelectorRequirement, path: string): Issue[] {
  const { key, operator, values = [] } = requirement;
  const issues = keyIssues(key, `${path}.key`);
  const where = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        issues.push(
          refuse('api.selector.values-missing', where, `${operator} needs at least one value`),
        );
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        issues.push(refuse('api.selector.values-forbidden', where, `${operator} takes no values`));
      }
      break;
    default:
      issues.push(
        refuse(
          'api.selector.operator-unknown',
          `${path}.operator`,
          `${JSON.stringify(operator)} is not one of In, NotIn, Exists, DoesNotExist`,
        ),
      );
  }
  return [...issues, ...values.flatMap((value, index) => valueIssues(value, `${where}[${index}]`))];
}

function keyIssues(key: string, path: string): Issue[] {
  if (labelKey.test(key)) return [];
  return [refuse('api.selector.key-invalid', path, `${JSON.stringify(key)} is not a label key`)];
}

function valueIssues(value: string, path: string): Issue[] {
  if (labelValue.test(value)) return [];
  return [
    refuse('api.selector.value-invalid', path, `${JSON.stringify(value)} is not a label value`),
  ];
}

function refuse(code: ApiIssueCode, path: string, message: string): Issue {
  return { code, severity: 'error', path, message };
}
