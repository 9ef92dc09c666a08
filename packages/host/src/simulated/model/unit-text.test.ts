import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dropInNames, fullName, instanceOf, templateOf } from './unit-name.ts';
import { isTrue, mergeSettings, parseUnitText, wordsOf } from './unit-text.ts';

suite('unit files of the model', () => {
  const rows = [
    {
      name: 'a backslash continues a line, over comments',
      given: '[Service]\nExecStart=/bin/a \\\n# not this\n  b\\\n c\n',
      want: ['/bin/a b c'],
    },
    {
      name: 'junk and settings before a section are ignored',
      given: 'ExecStart=x\n[Service]\njunk\n',
      want: [],
    },
    {
      name: 'an empty value forgets',
      given: '[Service]\nExecStart=a\nExecStart=\nExecStart=b',
      want: ['b'],
    },
    {
      name: 'blanks around are dropped',
      given: '[Service]\n  ExecStart  =  a b  \n',
      want: ['a b'],
    },
    { name: 'a last line may be left open', given: '[Service]\nExecStart=a \\', want: ['a'] },
    { name: 'other sections are other settings', given: '[Unit]\nExecStart=a\n', want: [] },
  ];
  for (const { name, given, want } of rows) {
    test(name, () => {
      assert.deepEqual(mergeSettings([given])['Service.ExecStart'] ?? [], want);
    });
  }

  test('drop-ins follow the unit', () => {
    const settings = mergeSettings(['[Unit]\nAfter=a b\n', '[Unit]\nAfter=c\n']);
    assert.deepEqual(wordsOf(settings, 'Unit.After'), ['a', 'b', 'c']);
  });

  test('text that is no unit file is no settings', () => {
    assert.deepEqual(parseUnitText('\0\n=\n[]\n'), []);
  });

  test('booleans are read as systemd does', () => {
    const yes = ['yes', 'TRUE', 'on', '1', 'y'];
    const no = ['no', 'false', 'off', '0', '', 'maybe', undefined];
    assert.deepEqual(
      [...yes.map(isTrue), ...no.map(isTrue)],
      [...yes.map(() => true), ...no.map(() => false)],
    );
  });

  test('names lead to templates, instances and drop-in folders', () => {
    assert.equal(templateOf('getty@tty1.service'), 'getty@.service');
    assert.equal(templateOf('getty@.service'), undefined);
    assert.equal(instanceOf('getty@tty1.service'), 'tty1');
    assert.equal(fullName('sshd'), 'sshd.service');
    assert.equal(fullName('a.target'), 'a.target');
    assert.deepEqual(dropInNames('a-b-c@1.service'), [
      'a-b-c@1.service',
      'a-b-c@.service',
      'a-b-.service',
      'a-.service',
      'service',
    ]);
  });
});
