import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { suite, test } from 'node:test';
import { issueCatalogue } from '@slipway/ignition';
import { cliErrors } from '../packages/cli/src/errors.ts';
import { daemonErrors } from '../packages/daemon/src/errors.ts';
import { codesByRoom } from '../tools/error-codes.ts';
import { roomRemedies } from '../tools/error-remedies.ts';

suite('error codes', () => {
  for (const [room, codes] of Object.entries(codesByRoom)) {
    test(`every code of ${room} says what to do, and nothing else does`, () => {
      assert.deepEqual(new Set(Object.keys(roomRemedies[room]?.remedies ?? {})), new Set(codes));
    });
  }

  test('no code stands for two things', () => {
    const all = [
      ...Object.values(codesByRoom).flat(),
      ...Object.keys(cliErrors),
      ...Object.keys(daemonErrors),
      ...issueCatalogue.keys(),
    ];
    assert.deepEqual(
      all.filter((code, index) => all.indexOf(code) !== index),
      [],
    );
  });

  test('every Degraded reason has a runbook page', () => {
    const folder = resolve(import.meta.dirname, '../docs/runbook');
    assert.deepEqual(
      Object.keys(daemonErrors).filter((code) => !existsSync(`${folder}/${code}.md`)),
      [],
    );
  });
});
