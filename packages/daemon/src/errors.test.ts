import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { daemonErrors } from './errors.ts';

const runbook = join(import.meta.dirname, '../../../docs/runbook');

test('every code has a page that says what to do', () => {
  for (const code of Object.keys(daemonErrors)) {
    assert.match(code, /^daemon\.[a-z]+(-[a-z]+)*$/);
    const page = join(runbook, `${code}.md`);
    assert.ok(existsSync(page), `${page} is missing`);
    const text = readFileSync(page, 'utf8');
    for (const part of [`# ${code}`, '**Symptom.**', '**Cause.**', '**What to do.**']) {
      assert.ok(text.includes(part), `${code}: no ${part}`);
    }
  }
});
