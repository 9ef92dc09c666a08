import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewalTime } from './certificate-renewal.ts';

const cases = [
  { name: 'earliest', given: 0, want: 1700 },
  { name: 'middle', given: 0.5, want: 1800 },
  { name: 'latest', given: 1, want: 1900 },
];
for (const { name, given, want } of cases) {
  test(`renewal ${name}`, () => assert.equal(renewalTime(1000, 2000, given), want));
}
