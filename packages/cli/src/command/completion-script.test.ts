import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { Command, Option } from 'commander';
import { completionScript } from './completion-script.ts';

const program = new Command('slipway');
const certs = program.command('certs').alias('certificates');
certs
  .command('renew')
  .option('--config <file>')
  .option('-f, --force')
  .addOption(new Option('--odd').hideHelp());
certs.command('list');
program.command('config');
program.command('secret', { hidden: true });

/** What bash offers for the last word. */
function offered(...words: readonly string[]): string {
  const call = `${completionScript(program, 'bash')}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_slipway slipway "\${COMP_WORDS[$COMP_CWORD]}"
echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', call, 'bash', 'slipway', ...words], {
    encoding: 'utf8',
  }).trim();
}

suite('completionScript', () => {
  const cases = [
    { name: 'commands', given: ['c'], want: 'certs config' },
    { name: 'what is hidden is not offered', given: ['s'], want: '' },
    { name: 'commands of a command', given: ['certs', ''], want: 'renew list help --help' },
    { name: 'by an alias', given: ['certificates', 'r'], want: 'renew' },
    { name: 'flags', given: ['certs', 'renew', '--'], want: '--config --force --help' },
    { name: 'behind a switch', given: ['certs', 'renew', '-f', '--c'], want: '--config' },
    { name: 'a value is left to the shell', given: ['certs', 'renew', '--config', ''], want: '' },
    { name: 'a value behind =', given: ['certs', 'renew', '--config', '=', ''], want: '' },
    {
      name: 'a value is no command',
      given: ['certs', '--config', 'renew', 'l'],
      want: 'list',
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => assert.equal(offered(...given), want));
  }

  test('zsh takes the same after its own prelude', () => {
    const script = completionScript(program, 'zsh');
    assert.match(script, /^autoload [^\n]*bashcompinit\n/);
    assert.ok(script.endsWith(completionScript(program, 'bash')));
  });
});
