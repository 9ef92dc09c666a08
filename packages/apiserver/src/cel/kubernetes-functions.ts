import { isIP } from 'node:net';
import type { CelFunc, CelInput, CelList, CelMap, CelValue } from '@bufbuild/cel';
import { hasFormat } from '../schema/formats.ts';
import { compilePattern } from '../schema/pattern.ts';
import { approximate, isWhole, parseQuantity, type Quantity, wholePart } from './quantity.ts';

type Cel = typeof import('@bufbuild/cel');

/** Keys under which opaque values keep what they are. */
const urlKey = '@url';
const quantityKey = '@quantity';

function parseUrl(text: string): URL | undefined {
  if (text.startsWith('/')) return URL.parse(text, 'relative://') ?? undefined;
  return URL.parse(text) ?? undefined;
}

function urlOf(map: CelMap): URL {
  const text = map.get(urlKey);
  const url = typeof text === 'string' ? parseUrl(text) : undefined;
  if (url === undefined) throw new TypeError('no such overload');
  return url;
}

function isRelative(url: URL): boolean {
  return url.protocol === 'relative:';
}

function queryOf(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
  return query;
}

function urlFunctions({ celFunc, celMethod, CelScalar, mapType, listType }: Cel): CelFunc[] {
  const map = mapType(CelScalar.STRING, CelScalar.DYN);
  const text = (name: string, read: (url: URL) => string) =>
    celMethod(name, map, [], CelScalar.STRING, function () {
      const url = urlOf(this);
      return isRelative(url) && name !== 'getEscapedPath' ? '' : read(url);
    });
  return [
    celFunc('isURL', [CelScalar.STRING], CelScalar.BOOL, (value) => parseUrl(value) !== undefined),
    celFunc('url', [CelScalar.STRING], map, (value) => {
      if (parseUrl(value) === undefined) throw new TypeError(`URL parse error: ${value}`);
      return new Map([[urlKey, value]]);
    }),
    text('getScheme', (url) => url.protocol.slice(0, -1)),
    text('getHost', (url) => url.host),
    text('getHostname', (url) => url.hostname.replace(/^\[|\]$/g, '')),
    text('getPort', (url) => url.port),
    text('getEscapedPath', (url) => url.pathname),
    celMethod(
      'getQuery',
      map,
      [],
      mapType(CelScalar.STRING, listType(CelScalar.STRING)),
      function () {
        return queryOf(urlOf(this));
      },
    ),
  ];
}

function regexFunctions({ celMethod, CelScalar, listType }: Cel): CelFunc[] {
  const strings = listType(CelScalar.STRING);
  const all = (text: string, pattern: string, limit: number): string[] => {
    const expression = compilePattern(pattern);
    const global = new RegExp(expression.source, `${expression.flags}g`);
    const found = [...text.matchAll(global)].map((match) => match[0]);
    return limit < 0 ? found : found.slice(0, limit);
  };
  return [
    celMethod('find', CelScalar.STRING, [CelScalar.STRING], CelScalar.STRING, function (pattern) {
      return compilePattern(pattern).exec(String(this))?.[0] ?? '';
    }),
    celMethod('findAll', CelScalar.STRING, [CelScalar.STRING], strings, function (pattern) {
      return all(String(this), pattern, -1);
    }),
    celMethod(
      'findAll',
      CelScalar.STRING,
      [CelScalar.STRING, CelScalar.INT],
      strings,
      function (pattern, limit) {
        return all(String(this), pattern, Number(limit));
      },
    ),
  ];
}

function compareValues(a: CelValue, b: CelValue): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  const numbers =
    (typeof a === 'bigint' || typeof a === 'number' || typeof a === 'boolean') &&
    (typeof b === 'bigint' || typeof b === 'number' || typeof b === 'boolean');
  if (!numbers) throw new TypeError('no such overload');
  return a < b ? -1 : Number(a > b);
}

function extreme(list: CelList, sign: 1 | -1, name: string): CelValue {
  let best: CelValue | undefined;
  for (const value of list) {
    if (best === undefined || compareValues(value, best) * sign > 0) best = value;
  }
  if (best === undefined) throw new TypeError(`${name} called on empty list`);
  return best;
}

function sum(list: CelList): bigint | number {
  let total: bigint | number = 0n;
  let first = true;
  for (const value of list) {
    if (typeof value === 'bigint' && typeof total === 'bigint') total += value;
    else if (typeof value === 'number') {
      total = (first ? 0 : Number(total)) + value;
    } else throw new TypeError('no such overload');
    first = false;
  }
  return total;
}

function isSorted(list: CelList): boolean {
  const values = [...list];
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || compareValues(before, value) <= 0;
  });
}

function listFunctions({ celMethod, celFunc, CelScalar, listType }: Cel): CelFunc[] {
  const list = listType(CelScalar.DYN);
  const same = (a: CelValue, b: CelValue) => a === b;
  const contains = (outer: CelList, value: CelValue) =>
    [...outer].some((entry) => same(entry, value));
  const within = (inner: CelList, outer: CelList) =>
    [...inner].every((value) => contains(outer, value));
  return [
    celMethod('sum', list, [], CelScalar.DYN, function () {
      return sum(this);
    }),
    celMethod('min', list, [], CelScalar.DYN, function () {
      return extreme(this, -1, 'min');
    }),
    celMethod('max', list, [], CelScalar.DYN, function () {
      return extreme(this, 1, 'max');
    }),
    celMethod('isSorted', list, [], CelScalar.BOOL, function () {
      return isSorted(this);
    }),
    celMethod('indexOf', list, [CelScalar.DYN], CelScalar.INT, function (value) {
      return BigInt([...this].findIndex((entry) => same(entry, value)));
    }),
    celMethod('lastIndexOf', list, [CelScalar.DYN], CelScalar.INT, function (value) {
      return BigInt([...this].findLastIndex((entry) => same(entry, value)));
    }),
    celFunc('sets.contains', [list, list], CelScalar.BOOL, (a, b) => within(b, a)),
    celFunc(
      'sets.equivalent',
      [list, list],
      CelScalar.BOOL,
      (a, b) => within(a, b) && within(b, a),
    ),
    celFunc('sets.intersects', [list, list], CelScalar.BOOL, (a, b) =>
      [...a].some((value) => contains(b, value)),
    ),
  ];
}

function quantityOf(map: CelMap): Quantity {
  const nanos = map.get(quantityKey);
  if (typeof nanos !== 'bigint') throw new TypeError('no such overload');
  return { nanos };
}

function celQuantity(nanos: bigint): ReadonlyMap<string, CelInput> {
  return new Map([[quantityKey, nanos]]);
}

function readQuantity(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new TypeError(`quantity parse error: ${text}`);
  return quantity;
}

function signOf(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value < 0n ? -1n : 1n;
}

function asInteger(quantity: Quantity): bigint {
  if (!isWhole(quantity)) throw new TypeError('cannot convert value to integer');
  return wholePart(quantity);
}

function quantityFunctions({ celFunc, celMethod, CelScalar, mapType }: Cel): CelFunc[] {
  const map = mapType(CelScalar.STRING, CelScalar.DYN);
  const { BOOL, INT, STRING, DOUBLE } = CelScalar;
  return [
    celFunc('isQuantity', [STRING], BOOL, (text) => parseQuantity(text) !== undefined),
    celFunc('quantity', [STRING], map, (text) => celQuantity(readQuantity(text).nanos)),
    celMethod('isInteger', map, [], BOOL, function () {
      return isWhole(quantityOf(this));
    }),
    celMethod('asInteger', map, [], INT, function () {
      return asInteger(quantityOf(this));
    }),
    celMethod('asApproximateFloat', map, [], DOUBLE, function () {
      return approximate(quantityOf(this));
    }),
    celMethod('sign', map, [], INT, function () {
      return signOf(quantityOf(this).nanos);
    }),
    celMethod('isGreaterThan', map, [map], BOOL, function (other) {
      return quantityOf(this).nanos > quantityOf(other).nanos;
    }),
    celMethod('isLessThan', map, [map], BOOL, function (other) {
      return quantityOf(this).nanos < quantityOf(other).nanos;
    }),
    celMethod('compareTo', map, [map], INT, function (other) {
      return signOf(quantityOf(this).nanos - quantityOf(other).nanos);
    }),
    celMethod('add', map, [map], map, function (other) {
      return celQuantity(quantityOf(this).nanos + quantityOf(other).nanos);
    }),
    celMethod('sub', map, [map], map, function (other) {
      return celQuantity(quantityOf(this).nanos - quantityOf(other).nanos);
    }),
  ];
}

/** The Kubernetes libraries: URLs, regular expressions, lists, sets, addresses and quantities. */
export function kubernetesFunctions(cel: Cel): CelFunc[] {
  const { celFunc, CelScalar } = cel;
  return [
    ...urlFunctions(cel),
    ...regexFunctions(cel),
    ...listFunctions(cel),
    ...quantityFunctions(cel),
    celFunc('isIP', [CelScalar.STRING], CelScalar.BOOL, (text) => isIP(text) !== 0),
    celFunc('isCIDR', [CelScalar.STRING], CelScalar.BOOL, (text) => hasFormat(text, 'cidr')),
  ];
}
