import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalQuantity } from './quantity.ts';

const cases: readonly { given: string; want: string | undefined }[] = [
  { given: '0', want: '0' },
  { given: '0Gi', want: '0' },
  { given: '1000m', want: '1' },
  { given: '0.5', want: '500m' },
  { given: '1.5Gi', want: '1536Mi' },
  { given: '1024Ki', want: '1Mi' },
  { given: '1000Ki', want: '1000Ki' },
  { given: '512', want: '512' },
  { given: '0.5Ki', want: '512' },
  { given: '100000', want: '100k' },
  { given: '1e3', want: '1e3' },
  { given: '12e5', want: '1200e3' },
  { given: '-1500m', want: '-1500m' },
  { given: '.1n', want: '1n' },
  { given: '16Gi', want: '16Gi' },
  { given: '1gb', want: undefined },
  { given: '', want: undefined },
  { given: '1 Gi', want: undefined },
];

for (const { given, want } of cases) {
  test(`quantity ${JSON.stringify(given)}`, () => assert.equal(canonicalQuantity(given), want));
}

test('the canonical form is its own canonical form', () => {
  const quantity = fc
    .tuple(
      fc.integer({ min: 0, max: 1e9 }),
      fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3'),
    )
    .map(([number, suffix]) => `${number}${suffix}`);
  fc.assert(
    fc.property(quantity, (text) => {
      const once = canonicalQuantity(text) ?? '';
      assert.equal(canonicalQuantity(once), once);
    }),
  );
});
