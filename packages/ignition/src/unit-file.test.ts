import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasInstall, parseUnitFile, readInstall } from './index.ts';

function faults(text: string): string[] {
  return parseUnitFile(text).faults.map(({ name, line }) => `${line} ${name}`);
}

test('a comment within a continued line is skipped, as systemd does', () => {
  const { options, faults: found } = parseUnitFile(
    '[Service]\nExecStart=/bin/a \\\n# why\n; and\n  --flag\nRestart=always\n',
  );
  assert.deepEqual(found, []);
  assert.deepEqual(
    options.map(({ name, value, line }) => [name, value, line]),
    [
      ['ExecStart', '/bin/a \\\n  --flag', 2],
      ['Restart', 'always', 6],
    ],
  );
});

describe('faults with their lines', () => {
  const table = [
    { name: 'nothing', given: '', want: [] },
    { name: 'text only', given: '\nhello\n', want: ['2 unit-no-section'] },
    { name: 'text before', given: 'A=b\n[Unit]\n', want: ['1 unit-text-before-section'] },
    { name: 'empty section', given: '[]\nA=b\n', want: ['1 unit-section-name'] },
    {
      name: 'section over lines',
      given: '[Un\nit]\nA=b\n',
      want: ['1 unit-section-name', '2 unit-option-newline'],
    },
    { name: 'empty option', given: '[Unit]\n=b\n', want: ['2 unit-option-name'] },
    { name: 'option with a space', given: '[Unit]\nA B=c\n', want: ['2 unit-option-name'] },
    { name: 'escape', given: '[Unit]\nA=\u001B\n', want: ['2 unit-control-character'] },
    {
      name: 'comment with a backslash',
      given: '[Unit]\n# x \\\nA=b\n',
      want: ['2 unit-comment-backslash'],
    },
    {
      name: 'several',
      given: '[Unit]\nA\nB\n[x',
      want: ['2 unit-option-newline', '3 unit-option-newline', '4 unit-section-unclosed'],
    },
  ];
  for (const { name, given, want } of table) {
    test(name, () => assert.deepEqual(faults(given), want));
  }
});

test('the [Install] section', () => {
  const unit = parseUnitFile(
    '[Unit]\nWantedBy=no.target\n[Install]\nWantedBy=a.target\nWantedBy=\nWantedBy=b.target \\\n  c.target\nRequiredBy=d.target\nUpheldBy=e.target\nAlias=f.service g.service\nAlso=h.socket\nDefaultInstance=one\n',
  );
  assert.equal(hasInstall(unit), true);
  assert.deepEqual(readInstall(unit), {
    wantedBy: ['b.target', 'c.target'],
    requiredBy: ['d.target'],
    upheldBy: ['e.target'],
    alias: ['f.service', 'g.service'],
    also: ['h.socket'],
    defaultInstance: 'one',
  });
  assert.equal(hasInstall(parseUnitFile('[Install]\n')), false);
});
