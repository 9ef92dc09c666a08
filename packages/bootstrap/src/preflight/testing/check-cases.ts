import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Check } from '../check.ts';
import { found, type HostDescription } from './described-host.ts';

/** What a check finds on a machine: `LEVEL: message`, one expression per finding, in order. */
export type CheckCase = {
  readonly name: string;
  readonly check: Check;
  /** Default: a machine where nothing is wrong. */
  readonly given?: HostDescription;
  readonly want: readonly RegExp[];
};

/** A test per case. */
export function testChecks(title: string, cases: readonly CheckCase[]): void {
  describe(title, () => {
    for (const { name, check, given = {}, want } of cases) {
      test(`${check.name}: ${name}`, async () => {
        const findings = await found(check, given);
        assert.equal(findings.length, want.length, findings.join('\n'));
        for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
      });
    }
  });
}
