import { readList, readObject, readStrings, readText } from '../registry/read-path.ts';

type Labels = Readonly<Record<string, string>>;

function requirementHolds(requirement: unknown, labels: Labels): boolean {
  const value = labels[readText(requirement, 'key')];
  const values = readStrings(requirement, 'values');
  switch (readText(requirement, 'operator')) {
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

/** True when a LabelSelector object selects `labels`; an absent selector selects nothing, an empty one all. */
export function matchesLabelSelector(selector: unknown, labels: Labels): boolean {
  if (selector === undefined || selector === null) return false;
  const wanted = Object.entries(readObject(selector, 'matchLabels'));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    readList(selector, 'matchExpressions').every((entry) => requirementHolds(entry, labels))
  );
}
