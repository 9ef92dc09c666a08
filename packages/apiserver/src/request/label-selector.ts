import { badRequest } from '../status/status-errors.ts';
import { qualifiedNameProblem } from '../verbs/metadata-rules.ts';

type Labels = Readonly<Record<string, string>>;

/** A parsed label selector; `matches` of the empty one is always true. */
export type Selector = {
  readonly empty: boolean;
  readonly matches: (labels: Labels) => boolean;
};

type Requirement = (labels: Labels) => boolean;

/** The label itself, never what every object inherits. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

const setExpression = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const equalExpression = /^([^=!<>\s]+)\s*(==|=|!=)\s*([^=!<>\s]*)$/;
const orderExpression = /^([^=!<>\s]+)\s*([<>])\s*(-?\d+)$/;

/** Splits at commas that are not inside parentheses. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const letter = text[index];
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      terms.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return terms;
}

function checkKey(key: string): string {
  const problem = qualifiedNameProblem(key);
  if (problem !== undefined) {
    throw badRequest(
      `unable to parse requirement: key: Invalid value: ${JSON.stringify(key)}: ${problem}`,
    );
  }
  return key;
}

function setRequirement(key: string, operator: string, list: string): Requirement {
  const values = new Set<string | undefined>(list.split(',').map((value) => value.trim()));
  return operator === 'in'
    ? (labels) => values.has(labelOf(labels, key))
    : (labels) => !values.has(labelOf(labels, key));
}

function orderRequirement(key: string, operator: string, bound: number): Requirement {
  return (labels) => {
    const value = labelOf(labels, key);
    if (value === undefined || !/^-?\d+$/.test(value)) return false;
    return operator === '>' ? Number(value) > bound : Number(value) < bound;
  };
}

function parseTerm(term: string): Requirement {
  const set = setExpression.exec(term);
  if (set !== null) return setRequirement(checkKey(set[1] ?? ''), set[2] ?? '', set[3] ?? '');
  const equal = equalExpression.exec(term);
  if (equal !== null) {
    const key = checkKey(equal[1] ?? '');
    const value = equal[3] ?? '';
    return equal[2] === '!='
      ? (labels) => labelOf(labels, key) !== value
      : (labels) => labelOf(labels, key) === value;
  }
  const order = orderExpression.exec(term);
  if (order !== null) {
    return orderRequirement(checkKey(order[1] ?? ''), order[2] ?? '', Number(order[3]));
  }
  const absent = term.startsWith('!');
  const key = checkKey(absent ? term.slice(1).trim() : term);
  return absent
    ? (labels) => labelOf(labels, key) === undefined
    : (labels) => labelOf(labels, key) !== undefined;
}

/** Parses the selector syntax of `labelSelector=`; throws 400. */
export function parseLabelSelector(text: string | null): Selector {
  if (text === null || text.trim() === '') return { empty: true, matches: () => true };
  const requirements = splitTerms(text).map(parseTerm);
  return {
    empty: false,
    matches: (labels) => requirements.every((requirement) => requirement(labels)),
  };
}
