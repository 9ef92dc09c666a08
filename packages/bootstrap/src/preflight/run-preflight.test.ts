import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivilegedUser } from './check/is-privileged-user.ts';
import type { Check } from './check.ts';
import { passPreflight } from './pass-preflight.ts';
import { preflightObject } from './preflight-object.ts';
import { runPreflight } from './run-preflight.ts';
import { describedGround } from './testing/described-host.ts';

const broken: Check = {
  name: 'Swap',
  run: () => Promise.reject(new Error('EIO: i/o error')),
};

test('whoever is not root is told so and nothing else', async () => {
  using ground = describedGround({ machine: { userId: 1000 } });
  const alone = await runPreflight([broken, isPrivilegedUser], { ground, ignore: [] });
  assert.deepEqual(
    alone.map(({ name }) => name),
    ['IsPrivilegedUser'],
  );
  const ignore = ['isprivilegeduser'];
  const all = await runPreflight([broken, isPrivilegedUser], { ground, ignore });
  assert.deepEqual(
    all.map(({ name, level }) => `${level} ${name}`),
    ['warning IsPrivilegedUser', 'error Swap'],
  );
});

test('a check that fails itself is an error with its reason', async () => {
  using ground = describedGround({});
  const [finding] = await runPreflight([broken], { ground, ignore: [] });
  assert.equal(finding?.level, 'error');
  assert.match(finding?.message ?? '', /could not be checked: EIO/);
});

test('a command does not pass with an error, and the lines have the form that scripts read', async () => {
  using ground = describedGround({ machine: { userId: 1000 } });
  const lines: string[] = [];
  const reporter = {
    phase: () => undefined,
    line: () => undefined,
    problem: (text: string) => lines.push(text),
  };
  await assert.rejects(passPreflight([isPrivilegedUser], { ground, ignore: [], reporter }), {
    kind: 'preflight',
    code: 'bootstrap.preflight.failed',
    message: /IsPrivilegedUser/,
  });
  assert.match(lines[1] ?? '', /^\t\[ERROR IsPrivilegedUser\]: /);
  lines.length = 0;
  await passPreflight([isPrivilegedUser], { ground, ignore: ['all'], reporter });
  assert.match(lines[0] ?? '', /^\t\[WARNING IsPrivilegedUser\]: /);
});

test('as an object', async () => {
  using ground = describedGround({ machine: { userId: 1000 } });
  const findings = await runPreflight([isPrivilegedUser], { ground, ignore: ['ALL'] });
  const object = preflightObject('init', findings);
  assert.equal(object['passed'], true);
  const [finding] = object['findings'] as readonly Record<string, unknown>[];
  assert.deepEqual(Object.keys(finding ?? {}), ['name', 'level', 'message', 'fix', 'ignored']);
});
