import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileError, hostErrorCodes } from './errors.ts';

suite('error catalogue', () => {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const sources = globSync(`${directory}/**/*.ts`)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

  for (const code of Object.keys(hostErrorCodes)) {
    test(`${code} is raised somewhere`, () => {
      const mentions = sources.split(`'${code}'`).length - 1;
      assert.ok(mentions > 1, 'only in the catalogue');
    });
  }

  test('system errors are worded, errors of our own pass through', () => {
    const full = fileError('write', '/etc/a', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    assert.equal(full.message, 'write /etc/a: no space left on the file system');
    const odd = fileError('write', '/etc/a', Object.assign(new Error('x'), { code: 'EXDEV' }));
    assert.equal(odd.message, 'write /etc/a: EXDEV');
    assert.equal(fileError('read', '/etc/a', full), full);
  });
});
