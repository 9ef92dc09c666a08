import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveMaxUnavailable } from './max-unavailable.ts';

const rows = [
  { name: 'absent', given: undefined, want: 1 },
  { name: 'number', given: 2, want: 2 },
  { name: 'zero counts as one', given: 0, want: 1 },
  { name: 'half of four', given: '50%', want: 2 },
  { name: 'rounded down', given: '60%', want: 2 },
  { name: 'at least one', given: '1%', want: 1 },
  { name: 'zero percent', given: '0%', want: 1 },
  { name: 'all', given: '100%', want: 4 },
  { name: 'words', given: '50 percent', want: 'malformed' },
  { name: 'a number in quotes', given: '60', want: 'malformed' },
  { name: 'a blank', given: '40 %', want: 'malformed' },
  { name: 'negative', given: -1, want: 'malformed' },
  { name: 'fraction', given: 1.5, want: 'malformed' },
] as const;

for (const { name, given, want } of rows)
  test(`maxUnavailable of four nodes: ${name}`, () => {
    const { limit, issue } = resolveMaxUnavailable(given, 4);
    // A malformed value never stalls the pool: the default goes on, and the issue says so.
    assert.equal(limit, want === 'malformed' ? 1 : want);
    assert.equal(issue?.path, want === 'malformed' ? 'spec.maxUnavailable' : undefined);
  });
