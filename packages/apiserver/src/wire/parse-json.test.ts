import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duplicateFields } from './duplicate-fields.ts';
import { parseJson } from './parse-json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const refusals: readonly { name: string; given: string; want: RegExp }[] = [
  { name: 'nesting', given: nested(1001), want: /max depth/ },
  { name: 'nesting without an end', given: '['.repeat(3_000_000), want: /max depth/ },
  { name: 'nested objects', given: '{"a":'.repeat(1001), want: /max depth/ },
  { name: '__proto__', given: '{"data":[{"__proto__":{"x":1}}]}', want: /__proto__/ },
  { name: 'an escaped __proto__', given: '{"\\u005f_proto__":1}', want: /__proto__/ },
  { name: 'an open string', given: '{"a', want: /JSON/ },
];

for (const { name, given, want } of refusals) {
  test(`JSON refuses ${name}`, () => assert.throws(() => parseJson(given), want));
}

for (const given of [nested(1000), '"[[[{{{"', '{"a":"__proto__","constructor":{"x":[1]}}']) {
  test(`JSON accepts ${given.slice(0, 30)}`, () =>
    assert.deepEqual(parseJson(given), JSON.parse(given)));
}

test('many duplicates of deep keys stay short', () => {
  const deep = 900;
  const pairs = Array.from({ length: 100_000 }, () => '"a":1').join(',');
  const found = duplicateFields(`${'{"k":'.repeat(deep)}{${pairs}}${'}'.repeat(deep)}`);
  assert.ok(found.length <= 100, String(found.length));
});
