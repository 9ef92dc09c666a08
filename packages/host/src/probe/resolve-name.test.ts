import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { terminal } from '../errors.ts';
import { type RunProgram, runProgram } from '../process/run.ts';
import { resolveName } from './resolve-name.ts';

const answers = (exitCode: number, stdout: string): RunProgram => {
  return async () => ({ exitCode, stdout, stderr: '', signal: undefined });
};
/** A resolver that waits for a server that never answers. */
const hangs: RunProgram = (_argv, options) => runProgram(['sleep', '60'], options);
const isMissing: RunProgram = async () => {
  throw terminal('host.process.not-started', 'start getent: ENOENT');
};

const cases: readonly {
  readonly title: string;
  readonly name: string;
  readonly run: RunProgram;
  readonly want: readonly string[];
}[] = [
  {
    title: 'each address once',
    name: 'cp1',
    run: answers(0, '10.20.0.11 STREAM cp1\n10.20.0.11 DGRAM\nfd00::11 STREAM\n'),
    want: ['10.20.0.11', 'fd00::11'],
  },
  { title: 'a name of nobody', name: 'cp1', run: answers(2, ''), want: [] },
  { title: 'a resolver that does not end', name: 'cp1', run: hangs, want: [] },
  { title: 'an option for a name', name: '--help', run: answers(0, 'Usage'), want: [] },
  { title: 'no getent', name: '127.0.0.1', run: isMissing, want: ['127.0.0.1'] },
];

describe('a name is resolved', () => {
  for (const { title, name, run, want } of cases) {
    test(title, async () => {
      assert.deepEqual(await resolveName(name, { timeoutMs: 50, run }), want);
    });
  }
});
