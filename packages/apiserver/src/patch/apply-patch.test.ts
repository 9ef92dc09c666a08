import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@slipway/base';
import { StatusError } from '../contract.ts';
import { builtinKinds } from '../registry/builtin-kinds.ts';
import { patcherOf } from './apply-patch.ts';

const configMaps = builtinKinds(systemClock).find(({ plural }) => plural === 'configmaps');
if (configMaps === undefined) throw new Error('configmaps are not served');
const given = { data: { a: '1', b: '2' }, list: [1, 2] };

const cases: readonly { name: string; type: string; patch: unknown; want: unknown }[] = [
  {
    name: 'merge patch deletes with null and replaces lists',
    type: 'application/merge-patch+json',
    patch: { data: { a: null, c: '3' }, list: [3] },
    want: { data: { b: '2', c: '3' }, list: [3] },
  },
  {
    name: 'JSON patch',
    type: 'application/json-patch+json; charset=utf-8',
    patch: [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'remove', path: '/data/b' },
      { op: 'add', path: '/list/-', value: 3 },
    ],
    want: { data: { a: '9' }, list: [1, 2, 3] },
  },
  {
    name: 'JSON patch of the whole, with copies and moves',
    type: 'application/json-patch+json',
    patch: [
      { op: 'copy', from: '/data', path: '/list/0' },
      { op: 'move', from: '/data/a', path: '/c~1d' },
      { op: 'test', path: '', value: { data: { b: '2' }, list: [given.data, 1, 2], 'c/d': '1' } },
      { op: 'replace', path: '', value: { data: {} } },
    ],
    want: { data: {} },
  },
];

for (const { name, type, patch, want } of cases) {
  test(name, () => {
    const patcher = patcherOf(configMaps, type, Buffer.from(JSON.stringify(patch)));
    assert.deepEqual(patcher(given), want);
    assert.deepEqual(given, { data: { a: '1', b: '2' }, list: [1, 2] });
  });
}

const failures: readonly { name: string; type: string; body: string; code: number }[] = [
  { name: 'apply patch', type: 'application/apply-patch+yaml', body: '{}', code: 415 },
  { name: 'plain JSON', type: 'application/json', body: '{}', code: 415 },
  { name: 'text that is no JSON', type: 'application/merge-patch+json', body: '{', code: 400 },
  {
    name: 'a JSON patch that is an object',
    type: 'application/json-patch+json',
    body: '{}',
    code: 400,
  },
  {
    name: 'a failed test',
    type: 'application/json-patch+json',
    body: '[{"op":"test","path":"/data/a","value":"2"}]',
    code: 422,
  },
  {
    name: 'a path that is not there',
    type: 'application/json-patch+json',
    body: '[{"op":"remove","path":"/nope/x"}]',
    code: 422,
  },
  ...[
    { op: 'add', path: '/data/hasOwnProperty/call', value: 'x' },
    { op: 'add', path: '/list/push/apply', value: 'x' },
    { op: 'replace', path: '/data/toString', value: 'x' },
    { op: 'add', path: '/constructor/prototype/polluted', value: 'x' },
    { op: 'add', path: '/data/__proto__', value: 'x' },
    { op: 'copy', from: '/data/valueOf', path: '/data/c' },
    { op: 'add', path: '/list/3', value: 'x' },
    { op: 'add', path: '/list/-1', value: 'x' },
    { op: 'add', path: '/list/one', value: 'x' },
    { op: 'remove', path: '/list/-' },
    { op: 'add', path: 'data', value: 'x' },
  ].map((operation) => ({
    name: `a JSON patch that says ${operation.op} ${operation.path}`,
    type: 'application/json-patch+json',
    body: JSON.stringify([operation]),
    code: 422,
  })),
  {
    name: 'a JSON patch whose copies double',
    type: 'application/json-patch+json',
    body: JSON.stringify(
      Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/x${index}` })),
    ),
    code: 422,
  },
];

for (const { name, type, body, code } of failures) {
  test(`refuses ${name}`, () => {
    assert.throws(
      () => patcherOf(configMaps, type, Buffer.from(body))(given),
      (error) => error instanceof StatusError && error.status.code === code,
    );
  });
}
