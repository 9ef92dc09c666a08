import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseQuantity } from './quantity.ts';

suite('quantity', () => {
  const cases: { given: string; want: bigint | undefined }[] = [
    { given: '1', want: 1_000_000_000n },
    { given: '-1.5', want: -1_500_000_000n },
    { given: '100m', want: 100_000_000n },
    { given: '1Ki', want: 1_024_000_000_000n },
    { given: '1.5Gi', want: 1_610_612_736_000_000_000n },
    { given: '1e3', want: 1_000_000_000_000n },
    { given: '1E', want: 10n ** 27n },
    { given: '12e-3', want: 12_000_000n },
    { given: '.5', want: 500_000_000n },
    { given: '1n', want: 1n },
    { given: '0.1n', want: 1n },
    { given: '', want: undefined },
    { given: '1Q', want: undefined },
    { given: '1 Gi', want: undefined },
    { given: 'Ki', want: undefined },
    { given: '1e99999', want: undefined },
  ];
  for (const { given, want } of cases) {
    test(JSON.stringify(given), () => assert.equal(parseQuantity(given)?.nanos, want));
  }
});
