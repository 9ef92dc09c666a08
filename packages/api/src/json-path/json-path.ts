import { compareBytes, isJsonObject, jsonEqual } from '@slipway/base';

/** One step of a path, applied to each value found so far. */
type Step = (value: unknown) => readonly unknown[];

/** Finds values in an object. */
export type JsonPath = (object: unknown) => readonly unknown[];

function member(name: string): Step {
  return (value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

function element(index: number): Step {
  return (value) => {
    if (!Array.isArray(value)) return [];
    const position = index < 0 ? value.length + index : index;
    return position in value ? [value[position]] : [];
  };
}

const every: Step = (value) => {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort(compareBytes)
    .map((key) => value[key]);
};

/** `[first:end:stride]`; what is left out is from the start, to the end, and every one. */
function slice(bounds: readonly string[]): Step {
  const [first, end, stride = 1] = bounds.map((bound) =>
    bound === '' ? undefined : Number(bound),
  );
  if (stride < 1) throw new SyntaxError('stride of a slice must be one or more');
  return (value) =>
    elements(value)
      .slice(first, end)
      .filter((_, index) => index % stride === 0);
}

/** The value itself and everything below it. */
const descendants: Step = (value) => [value, ...every(value).flatMap(descendants)];

function literal(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2];
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text !== '' && !Number.isNaN(number) ? number : undefined;
}

type Comparison = (left: unknown, right: unknown) => boolean;

function ordered(test: (difference: number) => boolean): Comparison {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return test(left - right);
    if (typeof left !== 'string' || typeof right !== 'string') return false;
    return test(left < right ? -1 : Number(left > right));
  };
}

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': jsonEqual,
  '!=': (left, right) => !jsonEqual(left, right),
  '<': ordered((difference) => difference < 0),
  '<=': ordered((difference) => difference <= 0),
  '>': ordered((difference) => difference > 0),
  '>=': ordered((difference) => difference >= 0),
};

/** `@.type=="Updated"`, `@.ready`. */
function filter(text: string): Step {
  const match = /^@((?:[.[].*?)?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text.trim());
  if (match === null) throw new SyntaxError(`unrecognized filter ${text}`);
  const [, path = '', operator, right = ''] = match;
  const read = compileJsonPath(path);
  if (operator === undefined) {
    return (value) => elements(value).filter((item) => read(item).length > 0);
  }
  const compare = comparisons[operator];
  const wanted = literal(right.trim());
  if (compare === undefined || wanted === undefined) {
    throw new SyntaxError(`unrecognized filter ${text}`);
  }
  return (value) =>
    elements(value).filter((item) => read(item).some((found) => compare(found, wanted)));
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Offset of the bracket that closes the one at `start`; quotes hide brackets. */
function closingBracket(text: string, start: number): number {
  const hidden = text.replace(/(['"])(.*?)\1/g, (quoted) => ' '.repeat(quoted.length));
  let depth = 0;
  for (let index = start; index < hidden.length; index += 1) {
    const character = hidden.charAt(index);
    if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    if (depth === 0) return index;
  }
  throw new SyntaxError('unterminated array');
}

function bracketed(text: string, start: number): { readonly inside: string; readonly end: number } {
  const close = closingBracket(text, start);
  return { inside: text.slice(start + 1, close), end: close + 1 };
}

function bracketStep(inside: string): Step {
  const text = inside.trim();
  if (text === '*') return every;
  if (/^(?:-?\d+)?(?::(?:-?\d+)?){1,2}$/.test(text)) return slice(text.split(':'));
  const filtered = /^\?\((.*)\)$/s.exec(text);
  if (filtered !== null) return filter(filtered[1] ?? '');
  const parts = text.match(/(?:[^,'"]|'[^']*'|"[^"]*")+/g) ?? [];
  if (parts.length > 1) {
    const steps = parts.map(bracketStep);
    return (value) => steps.flatMap((step) => step(value));
  }
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return member(unescaped(quoted[2] ?? ''));
  if (/^-?\d+$/.test(text)) return element(Number(text));
  throw new SyntaxError(`invalid array index ${inside}`);
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

function memberStep(text: string, start: number): { readonly step: Step; readonly end: number } {
  const match = /^\.(\.?)(\*|(?:\\.|[^.[\]\\\s])+)/.exec(text.slice(start));
  if (match === null) throw new SyntaxError(`unrecognized character in path ${text}`);
  const [all, recursive, name = ''] = match;
  const step = name === '*' ? every : member(unescaped(name));
  const end = start + all.length;
  if (recursive === '') return { step, end };
  return { step: (value) => descendants(value).flatMap(step), end };
}

/**
 * Compiles a path of kubectl's JSONPath: members (dots in names escaped by a backslash), indices, `[*]`,
 * slices, unions such as `['a','b']`, `..name`, and filters such as `[?(@.type=="Ready")]`.
 *
 * @throws SyntaxError for what it does not know.
 */
export function compileJsonPath(path: string): JsonPath {
  const steps: Step[] = [];
  for (let at = 0; at < path.length; ) {
    if (path.charAt(at) === '[') {
      const { inside, end } = bracketed(path, at);
      steps.push(bracketStep(inside));
      at = end;
    } else {
      const { step, end } = memberStep(path, at);
      steps.push(step);
      at = end;
    }
  }
  return (object) =>
    steps.reduce<readonly unknown[]>((found, step) => found.flatMap(step), [object]);
}
