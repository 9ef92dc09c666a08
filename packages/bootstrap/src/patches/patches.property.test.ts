import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergePatch } from '@slipway/api';
import { type JsonObject, namesPrototype } from '@slipway/base';
import fc from 'fast-check';
import { applyPatches } from './apply-patches.ts';
import { applyJsonPatch } from './json-patch.ts';
import type { PatchKind } from './patch-file-name.ts';

const position = { line: 1, column: 1 };
/** As objects of an API are: the elements of a list are of one type. */
const anyObject = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 })),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.string({ maxLength: 6 }).filter((name) => name !== '__proto__'),
    tie('value'),
    { noNullPrototype: true, maxKeys: 5 },
  ),
})).object;

/** RFC 7386, as its section 2 says it. */
function rfc7386(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isMap = typeof target === 'object' && target !== null && !Array.isArray(target);
  const merged = new Map<string, unknown>(isMap ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, rfc7386(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function patched(object: JsonObject, kind: PatchKind, ...contents: readonly unknown[]) {
  const patches = contents.map((content) => ({
    target: 'kube-apiserver' as const,
    kind,
    file: '/p/kube-apiserver.yaml',
    position,
    content,
  }));
  return applyPatches('kube-apiserver', object, patches);
}

suite('patches', () => {
  for (const [kind, empty] of [
    ['strategic', {}],
    ['merge', {}],
    ['json', []],
  ] as const) {
    test(`an empty ${kind} patch changes nothing`, () => {
      fc.assert(
        fc.property(anyObject, (object) => {
          assert.deepEqual(patched(object as JsonObject, kind, empty), object);
        }),
      );
    });
  }

  test('a merge patch is that of RFC 7386, and its argument stays as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = structuredClone(target);
        assert.deepEqual(mergePatch(target, patch), rfc7386(target, patch));
        assert.deepEqual(target, before);
      }),
    );
  });

  test('patches are applied one after the other', () => {
    const annotations = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b') }),
      fc.option(fc.string()),
    );
    fc.assert(
      fc.property(fc.array(annotations, { maxLength: 5 }), (list) => {
        const contents = list.map((each) => ({ metadata: { annotations: each } }));
        const object = { metadata: { annotations: { a: 'x' } } };
        const atOnce = patched(object, 'merge', ...contents);
        const oneByOne = contents.reduce<JsonObject>(
          (current, content) => patched(current, 'merge', content),
          object,
        );
        assert.deepEqual(atOnce, oneByOne);
        assert.deepEqual(patched(object, 'strategic', ...contents), atOnce);
      }),
    );
  });

  test('a JSON patch that adds and removes gives what was there', () => {
    fc.assert(
      fc.property(anyObject, fc.string(), fc.jsonValue(), (object, name, value) => {
        fc.pre(!Object.hasOwn(object, name));
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const patch = [
          { op: 'add', path, value },
          { op: 'test', path, value },
          { op: 'remove', path },
        ];
        fc.pre(!['__proto__', 'constructor', 'prototype'].includes(name) && !namesPrototype(value));
        assert.deepEqual(applyJsonPatch(object, patch), object);
      }),
    );
  });
});

suite('mergePatch: appendix A of RFC 7386', () => {
  const cases: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, want] of cases) {
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(mergePatch(target, patch), want);
    });
  }
});
