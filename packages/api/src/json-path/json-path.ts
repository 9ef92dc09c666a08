import { compareBytes, isJsonObject, jsonEqual } from '@slipway/base';

/** One step of a path, from all the values found so far. */
type Step = (values: readonly unknown[]) => readonly unknown[];

/** What a path does about what is not there. Default: it finds nothing. */
export type JsonPathDemands = {
  /** A key that no value has, and an index outside of a list, are an error. */
  readonly keys?: boolean;
  readonly indices?: boolean;
};

/** Finds values in an object. */
export type JsonPath = (object: unknown) => readonly unknown[];

function member(name: string, { keys = false }: JsonPathDemands): Step {
  return (values) => {
    const found = values.flatMap((value) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : [],
    );
    if (keys && values.length > 0 && found.length === 0)
      throw new SyntaxError(`${name} is not found`);
    return found;
  };
}

function element(index: number, { indices = false }: JsonPathDemands): Step {
  return each((value) => {
    if (!Array.isArray(value)) return [];
    const position = index < 0 ? value.length + index : index;
    if (position in value) return [value[position]];
    if (!indices) return [];
    throw new SyntaxError(`index ${index} is outside of a list of ${value.length}`);
  });
}

function each(find: (value: unknown) => readonly unknown[]): Step {
  return (values) => values.flatMap(find);
}

const every = (value: unknown): readonly unknown[] => {
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
  return each((value) =>
    elements(value)
      .slice(first, end)
      .filter((_, index) => index % stride === 0),
  );
}

/** The value itself and everything below it. */
const descendants = (value: unknown): readonly unknown[] => [
  value,
  ...every(value).flatMap(descendants),
];

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
    return each((value) => elements(value).filter((item) => read(item).length > 0));
  }
  const compare = comparisons[operator];
  const wanted = literal(right.trim());
  if (compare === undefined || wanted === undefined) {
    throw new SyntaxError(`unrecognized filter ${text}`);
  }
  return each((value) =>
    elements(value).filter((item) => read(item).some((found) => compare(found, wanted))),
  );
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

function bracketStep(inside: string, demands: JsonPathDemands): Step {
  const text = inside.trim();
  if (text === '*') return each(every);
  if (/^(?:-?\d+)?(?::(?:-?\d+)?){1,2}$/.test(text)) return slice(text.split(':'));
  const filtered = /^\?\((.*)\)$/s.exec(text);
  if (filtered !== null) return filter(filtered[1] ?? '');
  const parts = text.match(/(?:[^,'"]|'[^']*'|"[^"]*")+/g) ?? [];
  if (parts.length > 1) {
    const steps = parts.map((part) => bracketStep(part, demands));
    return each((value) => steps.flatMap((step) => step([value])));
  }
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return member(unescaped(quoted[2] ?? ''), demands);
  if (/^-?\d+$/.test(text)) return element(Number(text), demands);
  throw new SyntaxError(`invalid array index ${inside}`);
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

function memberStep(
  text: string,
  start: number,
  demands: JsonPathDemands,
): { readonly step: Step; readonly end: number } {
  const match = /^\.(\.?)(\*|(?:\\.|[^.[\]\\\s])+)/.exec(text.slice(start));
  if (match === null) throw new SyntaxError(`unrecognized character in path ${text}`);
  const [all, recursive, name = ''] = match;
  const step = name === '*' ? each(every) : member(unescaped(name), demands);
  const end = start + all.length;
  if (recursive === '') return { step, end };
  return { step: (values) => step(values.flatMap(descendants)), end };
}

/**
 * Compiles a path of kubectl's JSONPath: members (dots in names escaped by a backslash), indices, `[*]`,
 * slices, unions such as `['a','b']`, `..name`, and filters such as `[?(@.type=="Ready")]`.
 *
 * @throws SyntaxError for what it does not know; the path that is made throws it for what `demands` wants
 */
export function compileJsonPath(path: string, demands: JsonPathDemands = {}): JsonPath {
  const steps: Step[] = [];
  for (let at = 0; at < path.length; ) {
    if (path.charAt(at) === '[') {
      const { inside, end } = bracketed(path, at);
      steps.push(bracketStep(inside, demands));
      at = end;
    } else {
      const { step, end } = memberStep(path, at, demands);
      steps.push(step);
      at = end;
    }
  }
  return (object) => steps.reduce<readonly unknown[]>((found, step) => step(found), [object]);
}
