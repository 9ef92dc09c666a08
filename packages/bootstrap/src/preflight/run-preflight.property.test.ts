import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Check, Finding } from './check.ts';
import { reportPreflight, runPreflight } from './run-preflight.ts';
import { describedGround } from './testing/described-host.ts';

const names = ['NumCPU', 'Mem', 'Swap', 'Port-6443', 'FileAvailable--etc-kubernetes-kubelet.conf'];

const finding: fc.Arbitrary<Finding> = fc.record({
  level: fc.constantFrom('error' as const, 'warning' as const),
  message: fc.string({ minLength: 1 }),
  fix: fc.string({ minLength: 1 }),
});

const checkPlan = fc.record({ name: fc.constantFrom(...names), findings: fc.array(finding) });

const ignoredNames = fc.array(
  fc
    .tuple(fc.constantFrom(...names, 'all', 'Unknown'), fc.boolean())
    .map(([name, isUpper]) => (isUpper ? name.toUpperCase() : name)),
);

test('ignoring hides nothing, changes levels only, and keeps the order', async () => {
  using ground = describedGround({});
  await fc.assert(
    fc.asyncProperty(fc.array(checkPlan), ignoredNames, async (plans, ignore) => {
      const checks: readonly Check[] = plans.map(({ name, findings }) => ({
        name,
        run: async () => findings,
      }));
      const found = await runPreflight(checks, { ground, ignore });
      const expected = plans.flatMap(({ name, findings }) =>
        findings.map(({ level, message, fix }) => ({ name, level, message, fix })),
      );
      assert.deepEqual(
        found.map(({ name, message, fix }) => ({ name, message, fix })),
        expected.map(({ name, message, fix }) => ({ name, message, fix })),
      );
      const lower = ignore.map((name) => name.toLowerCase());
      for (const [index, { level, isIgnored, name }] of found.entries()) {
        const asked = lower.includes('all') || lower.includes(name.toLowerCase());
        const was = expected[index]?.level;
        assert.equal(level, asked ? 'warning' : was);
        assert.equal(isIgnored, asked && was === 'error');
      }
    }),
  );
});

test('every finding is told with its fix, warnings before errors', async () => {
  using ground = describedGround({});
  await fc.assert(
    fc.asyncProperty(fc.array(checkPlan), async (plans) => {
      const checks = plans.map(({ name, findings }) => ({ name, run: async () => findings }));
      const found = await runPreflight(checks, { ground, ignore: [] });
      const lines: string[] = [];
      reportPreflight(found, {
        phase: () => undefined,
        line: () => undefined,
        problem: (text) => lines.push(text),
      });
      const levels = lines.flatMap((line) => /^\t\[(WARNING|ERROR) /.exec(line)?.[1] ?? []);
      assert.equal(levels.length, found.length);
      assert.deepEqual(levels, levels.toSorted().toReversed());
      assert.equal(lines.filter((line) => line.startsWith('\t\tfix: ')).length, found.length);
    }),
  );
});
