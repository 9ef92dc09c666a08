import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validityProblem } from './validity-problem.ts';

const period = { notBefore: Date.UTC(2026, 0, 1), notAfter: Date.UTC(2026, 0, 2) };
const hour = 3_600_000;
const cases = [
  { name: 'valid', now: period.notBefore, want: undefined },
  { name: 'just behind', now: period.notBefore - 200, want: /1s after the time of this host/ },
  { name: 'behind', now: period.notBefore - 3.2 * hour, want: /, 3h12m after .*clock of this/ },
  { name: 'a round time behind', now: period.notBefore - 48 * hour, want: /, 2d after/ },
  { name: 'ahead', now: period.notAfter + 90_000, want: /expired at 2026-01-02T00:00:00Z, 1m30s/ },
];
for (const { name, now, want } of cases) {
  test(`by how much: ${name}`, () => {
    const problem = validityProblem('the certificate', period, now);
    if (want === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? '', want);
  });
}
