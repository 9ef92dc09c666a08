import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { bareGround } from '../testing/bare-ground.ts';
import { ignoredCheckNames } from './check/ignored-check-names.ts';
import { failure } from './check.ts';
import { runPreflight } from './run-preflight.ts';
import { unknownCheckNames } from './unknown-check-names.ts';

suite('unknownCheckNames', () => {
  const cases = [
    { given: ['Swap', 'numcpu', 'all', 'Port-6443', 'FileAvailable--etc-kubernetes-x'], want: [] },
    { given: ['CreateJob', 'CoreDNSMigration'], want: [] },
    { given: ['swapp'], want: [{ name: 'swapp', nearest: 'Swap' }] },
    { given: ['wholly-different'], want: [{ name: 'wholly-different' }] },
  ];
  for (const { given, want } of cases) {
    test(given.join(), () => assert.deepEqual(unknownCheckNames(given), want));
  }

  test('every check has a known name', () => {
    const folder = new URL('./check/', import.meta.url);
    const names = readdirSync(folder).flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      return Array.from(text.matchAll(/\bname: ['`]([A-Za-z-]+)/g), ([, name = '']) => name);
    });
    assert.ok(names.length > 20);
    assert.deepEqual(unknownCheckNames(names), []);
  });

  test('a name that ignores nothing is told once, and what it meant stays an error', async () => {
    const swap = { name: 'Swap', run: async () => [failure('swap is on', 'swapoff')] };
    const checks = [ignoredCheckNames(['Swapp', 'wholly-different']), swap];
    const findings = await runPreflight(checks, { ground: bareGround(), ignore: ['Swapp'] });
    assert.deepEqual(
      findings.map(({ level, name, message, fix }) => `${level} ${name}: ${message}: ${fix}`),
      [
        'warning IgnoredCheckNames: Swapp is no check: nothing is ignored by it: write Swap',
        'warning IgnoredCheckNames: wholly-different is no check: nothing is ignored by it: take wholly-different out of --ignore-preflight-errors',
        'error Swap: swap is on: swapoff',
      ],
    );
  });
});
