import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compileJsonPath } from './json-path.ts';

const object = {
  a: { b: [1, 2, { c: 'x' }], 'd.e': 'dot' },
  list: [
    { type: 'Ready', status: 'True', n: 1 },
    { type: 'Other]', status: 'False', n: 2 },
  ],
};

suite('json path', () => {
  const cases: { path: string; want: unknown[] }[] = [
    { path: '.a.b[0]', want: [1] },
    { path: '.a.b[-1].c', want: ['x'] },
    { path: '.a.d\\.e', want: ['dot'] },
    { path: ".a['d.e']", want: ['dot'] },
    { path: '.list[*].n', want: [1, 2] },
    { path: '.list[?(@.type=="Ready")].status', want: ['True'] },
    { path: `.list[?(@.type=='Other]')].status`, want: ['False'] },
    { path: '.list[?(@.n>1)].type', want: ['Other]'] },
    { path: '.list[?(@.missing)].type', want: [] },
    { path: '.nothing.here', want: [] },
    { path: '.constructor', want: [] },
    { path: '.a.b[0:2]', want: [1, 2] },
    { path: '.a.b[::2]', want: [1, { c: 'x' }] },
    { path: '.a.b[-1:]', want: [{ c: 'x' }] },
    { path: '.a.b[0,2]', want: [1, { c: 'x' }] },
    { path: ".list[0]['type','n']", want: ['Ready', 1] },
    { path: '..c', want: ['x'] },
    { path: '..type', want: ['Ready', 'Other]'] },
  ];
  for (const { path, want } of cases) {
    test(path, () => assert.deepEqual(compileJsonPath(path)(object), want));
  }
  const demanded = [
    { path: '.nothing', want: /nothing is not found/ },
    { path: '.a.nothing[0]', want: /nothing is not found/ },
    { path: ".a['nothing','b']", want: /nothing is not found/ },
    { path: '.a.b[3]', want: /index 3 is outside of a list of 3/ },
    { path: '.a.b[-4]', want: /index -4 is outside/ },
  ];
  for (const { path, want } of demanded) {
    test(`demanded: ${path}`, () => {
      const find = compileJsonPath(path, { keys: true, indices: true });
      assert.throws(() => find(object), want);
    });
  }
  test('what some have, or what nothing passed, is not missing', () => {
    const found = (path: string) => compileJsonPath(path, { keys: true })(object);
    assert.deepEqual(found('.a.b[*].c'), ['x']);
    assert.deepEqual(found('.list[?(@.n>9)].type'), []);
  });
  for (const path of ['a.b', '.a[', '.a[x]', '.list[?(1==1)]', '.', '.a.b[::0]', '.a.b[0,x]']) {
    test(`refused: ${path}`, () => assert.throws(() => compileJsonPath(path), SyntaxError));
  }
});
