import { readList, readObject, readStrings, readText } from '../registry/read-path.ts';

type Labels = Readonly<Record<string, string>>;

function meets(requirement: unknown, labels: Labels): boolean {
  const key = readText(requirement, 'key');
  const values = readStrings(requirement, 'values');
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
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

/** Whether a LabelSelector, as it is stored, selects these labels. The empty selector selects all. */
export function selectorMatches(selector: unknown, labels: Labels = {}): boolean {
  const equal = Object.entries(readObject(selector, 'matchLabels')).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
  return equal && readList(selector, 'matchExpressions').every((entry) => meets(entry, labels));
}
