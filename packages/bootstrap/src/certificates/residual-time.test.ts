import assert from 'node:assert/strict';
import { test } from 'node:test';
import { residualTime } from './residual-time.ts';

const [minute, hour, day] = [60, 3600, 86_400];

test('time left as kubeadm shows it', () => {
  for (const [given, want] of [
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 30, '5m30s'],
    [10 * minute, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [4 * day + 3 * hour, '4d3h'],
    [8 * day + 3 * hour, '8d'],
    [41 * day, '41d'],
    [31_535_998, '364d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [7 * 365 * day + 3 * day, '7y3d'],
    [315_359_997, '9y'],
  ] as const) {
    assert.equal(residualTime(given), want, String(given));
  }
});
