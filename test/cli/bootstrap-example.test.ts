import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, suite, test } from 'node:test';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

const repository = resolve(import.meta.dirname, '../..');

/** The commands of the README about building a cluster that change nothing on this machine. */
function commandsOfReadme(): readonly string[] {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Building a cluster'));
  const block = section.slice(section.indexOf('```') + 3).split('```')[0] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => line.startsWith('slipway '))
    .map((line) => line.slice('slipway '.length));
}

suite('the README builds a cluster in a folder', () => {
  const machine = mkdtempSync(join(tmpdir(), 'slipway-readme-'));
  after(() => rmSync(machine, { recursive: true, force: true }));

  for (const command of commandsOfReadme()) {
    test(command, async () => {
      const argv = command.replace('./machine', machine).split(/\s+/);
      const options = { workingDirectory: repository };
      const { code, stdout, stderr } = await slipwayInProcess(argv, options);
      // What this machine lacks for being a control plane is no fault of the command.
      const expected = argv[0] === 'preflight' ? [0, 2] : [0];
      assert.ok(expected.includes(code), `${code}\n${stdout}\n${stderr}`);
      assert.notEqual(stdout, '');
    });
  }

  test('there are commands', () => assert.ok(commandsOfReadme().length >= 8));
});
