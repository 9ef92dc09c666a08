import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogueMarkdown, explain, issueCatalogue } from './index.ts';

const folder = new URL('.', import.meta.url);
const sources = [folder, new URL('lift/', folder)]
  .flatMap((place) => readdirSync(place).map((name) => new URL(name, place)))
  .filter(({ pathname }) => /(?<!\.test)\.ts$/.test(pathname))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('every code has a reason and a fix in full sentences, and is reported somewhere', () => {
  assert.ok(issueCatalogue.size > 80);
  for (const [code, { reason, fix }] of issueCatalogue) {
    assert.match(code, /^ignition\.[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const sentence of [reason, fix])
      assert.match(sentence, /^([A-Z`"]|systemd ).*[.]$/s, code);
    assert.ok(sources.includes(`'${code.replace('ignition.', '')}'`), `${code} is never reported`);
  }
});

test('explain gives severity, origin, reason and fix', () => {
  assert.equal(
    explain('ignition.path-relative'),
    'ignition.path-relative (error, a rule of Ignition 3.4.0)\n\n' +
      'A path must be absolute: there is no directory that it could be relative to.\n\n' +
      'Fix: Begin the path with `/`.\n',
  );
  assert.equal(explain('path-relative'), explain('ignition.path-relative'));
  assert.equal(explain('ignition.nonsense'), undefined);
  assert.equal(explain('toString'), undefined);
});

test('CODES.md is the catalogue', () => {
  const page = new URL('../CODES.md', import.meta.url);
  const got = catalogueMarkdown();
  if (process.env['SLIPWAY_GOLDEN'] === 'write') writeFileSync(page, got);
  assert.equal(got, readFileSync(page, 'utf8'), 'run npm run golden');
});
