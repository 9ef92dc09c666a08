import { type LabelSelector, type LabelSelectorRequirement, matchesLabels } from '@slipway/api';
import { readList, readObject, readStrings, readText } from '../registry/read-path.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Whether a LabelSelector, as it is stored, chooses an object with these labels: an absent or null
 * selector chooses nothing, an empty one everything.
 */
export function matchesLabelSelector(selector: unknown, labels: Labels | undefined): boolean {
  if (selector === undefined || selector === null) return false;
  return matchesLabels(decodeSelector(selector), labels);
}

function decodeSelector(selector: unknown): LabelSelector {
  const equalities = Object.entries(readObject(selector, 'matchLabels'));
  return {
    matchLabels: Object.fromEntries(equalities.map(([key, value]) => [key, String(value)])),
    matchExpressions: readList(selector, 'matchExpressions').flatMap(decodeRequirement),
  };
}

function decodeRequirement(entry: unknown): LabelSelectorRequirement {
  return {
    key: readText(entry, 'key'),
    // What is none of the four holds for nothing.
    operator: readText(entry, 'operator') as LabelSelectorRequirement['operator'],
    values: readStrings(entry, 'values'),
  };
}
