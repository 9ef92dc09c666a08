import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Argument } from '../config/configuration.ts';
import { commandLine } from './command-line.ts';

const defaults = { b: '1', 'a-c': '2', ab: '' };

suite('commandLine', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: readonly Argument[];
    readonly want: readonly string[];
  }[] = [
    { name: 'defaults by name, byte by byte', given: [], want: ['--a-c=2', '--ab=', '--b=1'] },
    {
      name: 'what is given comes last and in its order',
      given: [
        { name: 'z', value: '1' },
        { name: 'c', value: '2' },
      ],
      want: ['--a-c=2', '--ab=', '--b=1', '--z=1', '--c=2'],
    },
    {
      name: 'a default is replaced, wherever it is given',
      given: [
        { name: 'z', value: '1' },
        { name: 'b', value: '9' },
      ],
      want: ['--a-c=2', '--ab=', '--z=1', '--b=9'],
    },
    {
      name: 'given twice stays twice',
      given: [
        { name: 'b', value: '8' },
        { name: 'b', value: '9' },
      ],
      want: ['--a-c=2', '--ab=', '--b=8', '--b=9'],
    },
    {
      name: 'an empty value replaces too',
      given: [{ name: 'b', value: '' }],
      want: ['--a-c=2', '--ab=', '--b='],
    },
    {
      name: 'append and prepend go to the default, in its place',
      given: [
        { name: 'b', value: ',x', mergeMethod: 'append' },
        { name: 'a-c', value: 'y,', mergeMethod: 'prepend' },
      ],
      want: ['--a-c=y,2', '--ab=', '--b=1,x'],
    },
    {
      name: 'names of members that every object has are names like others',
      given: [
        { name: '__proto__', value: '1' },
        { name: 'constructor', value: '2' },
      ],
      want: ['--a-c=2', '--ab=', '--b=1', '--__proto__=1', '--constructor=2'],
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => assert.deepEqual(commandLine(defaults, given), want));
  }
});
