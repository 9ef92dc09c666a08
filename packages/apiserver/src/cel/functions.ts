import { bool, dyn, int, type ScalarKind, type Shape, string } from './shape.ts';

/** How a function may be called, for the checker. */
export type FunctionDeclaration = {
  /** Number of arguments, the receiver not counted. */
  readonly arguments: readonly number[];
  /** Kinds of receiver; absent: a global function. `'any'`: every kind. */
  readonly receivers?: readonly (Shape['kind'] | 'any')[];
  readonly result: Shape | ((operands: readonly Shape[]) => Shape);
};

const double: Shape = { kind: 'double' };
const duration: Shape = { kind: 'duration' };
const timestamp: Shape = { kind: 'timestamp' };
const strings: Shape = { kind: 'list', element: string };
/** URLs and quantities are opaque; they are maps underneath. */
const opaque: Shape = { kind: 'dyn' };

function global(result: FunctionDeclaration['result'], ...counts: number[]): FunctionDeclaration {
  return { arguments: counts, result };
}

function method(
  receivers: readonly (Shape['kind'] | 'any')[],
  result: FunctionDeclaration['result'],
  ...counts: number[]
): FunctionDeclaration {
  return { arguments: counts, receivers, result };
}

function elementOf([list]: readonly Shape[]): Shape {
  return list?.kind === 'list' ? list.element : dyn;
}

function scalar(kind: ScalarKind): FunctionDeclaration {
  return global({ kind }, 1);
}

const time: readonly Shape['kind'][] = ['timestamp', 'duration'];
const text: readonly Shape['kind'][] = ['string'];
const list: readonly Shape['kind'][] = ['list'];
const quantity: readonly Shape['kind'][] = ['dyn'];

/** Standard functions, string extensions and the Kubernetes libraries that this server has. */
export const functions: Readonly<Record<string, readonly FunctionDeclaration[]>> = {
  size: [global(int, 1), method(['string', 'bytes', 'list', 'map'], int, 0)],
  int: [scalar('int')],
  uint: [scalar('uint')],
  double: [scalar('double')],
  string: [scalar('string')],
  bool: [scalar('bool')],
  bytes: [scalar('bytes')],
  timestamp: [scalar('timestamp')],
  duration: [scalar('duration')],
  type: [scalar('type')],
  dyn: [global(dyn, 1)],
  matches: [global(bool, 2), method(text, bool, 1)],
  startsWith: [method(text, bool, 1)],
  endsWith: [method(text, bool, 1)],
  contains: [method(text, bool, 1)],
  charAt: [method(text, string, 1)],
  indexOf: [method(['string', 'list'], int, 1, 2)],
  lastIndexOf: [method(['string', 'list'], int, 1, 2)],
  lowerAscii: [method(text, string, 0)],
  upperAscii: [method(text, string, 0)],
  replace: [method(text, string, 2, 3)],
  split: [method(text, strings, 1, 2)],
  substring: [method(text, string, 1, 2)],
  trim: [method(text, string, 0)],
  join: [method(list, string, 0, 1)],
  format: [method(text, string, 1)],
  'strings.quote': [global(string, 1)],
  find: [method(text, string, 1)],
  findAll: [method(text, strings, 1, 2)],
  sum: [method(list, elementOf, 0)],
  min: [method(list, elementOf, 0)],
  max: [method(list, elementOf, 0)],
  isSorted: [method(list, bool, 0)],
  'sets.contains': [global(bool, 2)],
  'sets.equivalent': [global(bool, 2)],
  'sets.intersects': [global(bool, 2)],
  isURL: [global(bool, 1)],
  url: [global(opaque, 1)],
  getScheme: [method(quantity, string, 0)],
  getHost: [method(quantity, string, 0)],
  getHostname: [method(quantity, string, 0)],
  getPort: [method(quantity, string, 0)],
  getEscapedPath: [method(quantity, string, 0)],
  getQuery: [method(quantity, { kind: 'map', value: strings }, 0)],
  isIP: [global(bool, 1)],
  isCIDR: [global(bool, 1)],
  isQuantity: [global(bool, 1)],
  quantity: [global(opaque, 1)],
  isInteger: [method(quantity, bool, 0)],
  asInteger: [method(quantity, int, 0)],
  asApproximateFloat: [method(quantity, double, 0)],
  sign: [method(quantity, int, 0)],
  isGreaterThan: [method(quantity, bool, 1)],
  isLessThan: [method(quantity, bool, 1)],
  compareTo: [method(quantity, int, 1)],
  add: [method(quantity, opaque, 1)],
  sub: [method(quantity, opaque, 1)],
  getFullYear: [method(time, int, 0, 1)],
  getMonth: [method(time, int, 0, 1)],
  getDate: [method(time, int, 0, 1)],
  getDayOfMonth: [method(time, int, 0, 1)],
  getDayOfWeek: [method(time, int, 0, 1)],
  getDayOfYear: [method(time, int, 0, 1)],
  getHours: [method(time, int, 0, 1)],
  getMinutes: [method(time, int, 0, 1)],
  getSeconds: [method(time, int, 0, 1)],
  getMilliseconds: [method(time, int, 0, 1)],
  '@not_strictly_false': [global(bool, 1)],
};

const numeric: ReadonlySet<string> = new Set(['int', 'uint', 'double']);

/** True when values of both shapes can be compared for order. */
export function comparable(a: Shape, b: Shape): boolean {
  return sameKind(a, b) || (numeric.has(a.kind) && numeric.has(b.kind));
}

/** True when both may be of one type; `dyn` may be anything. */
export function sameKind(a: Shape, b: Shape): boolean {
  if (a.kind === 'dyn' || b.kind === 'dyn' || a.kind === b.kind) return true;
  const kinds = new Set([a.kind, b.kind]);
  if (kinds.has('null')) return true;
  return kinds.has('map') && kinds.has('object');
}

const summable: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'duration',
]);

function listSum(a: Shape, b: Shape): Shape | undefined {
  if (a.kind !== 'list' || b.kind !== 'list') return undefined;
  return a.element.kind === 'dyn' ? b : a;
}

/** The result of `a + b`, or undefined when there is none. */
export function sumShape(a: Shape, b: Shape): Shape | undefined {
  if (a.kind === 'dyn') return b.kind === 'list' ? b : dyn;
  if (b.kind === 'dyn') return a;
  const kinds = new Set([a.kind, b.kind]);
  if (kinds.has('timestamp')) return kinds.has('duration') ? timestamp : undefined;
  if (kinds.size > 1) return undefined;
  return summable.has(a.kind) ? a : listSum(a, b);
}

/** The result of `a - b`, or undefined when there is none. */
export function differenceShape(a: Shape, b: Shape): Shape | undefined {
  if (a.kind === 'dyn' || b.kind === 'dyn') return dyn;
  if (a.kind === 'timestamp') {
    if (b.kind === 'timestamp') return duration;
    return b.kind === 'duration' ? timestamp : undefined;
  }
  const subtractable = numeric.has(a.kind) || a.kind === 'duration';
  return a.kind === b.kind && subtractable ? a : undefined;
}

/** The result of `a * b`, `a / b`, `a % b`, or undefined when there is none. */
export function productShape(a: Shape, b: Shape): Shape | undefined {
  if (a.kind === 'dyn' || b.kind === 'dyn') return dyn;
  return a.kind === b.kind && numeric.has(a.kind) ? a : undefined;
}
