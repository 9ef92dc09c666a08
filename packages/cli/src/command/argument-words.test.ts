import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Command } from 'commander';
import { argumentWords } from './argument-words.ts';
import { withMachineFlags, withSwitches } from './command-flags.ts';

function program(): Command {
  const program = new Command('slipway');
  const init = withSwitches(withMachineFlags(program.command('init')), { '--dry-run': 'say' });
  init.option('--config <file>', 'read').command('phase').alias('p').command('certs');
  withSwitches(withMachineFlags(program.command('token').command('create')), { '--print': 'say' })
    .option('-o, --output <format>', 'form')
    .argument('[token]');
  return program;
}

suite('argumentWords', () => {
  const cases: readonly { readonly given: string; readonly want: string }[] = [
    { given: 'init --dry-run=true', want: 'init --dry-run' },
    { given: 'init --dry-run=F', want: 'init --no-dry-run' },
    { given: 'init --config=x=y', want: 'init --config=x=y' },
    { given: 'token create -o=json', want: 'token create -o json' },
    { given: 'token create -- --print=true', want: 'token create -- --print=true' },
    { given: '-v 5 init --dry-run', want: 'init -v 5 --dry-run' },
    { given: '--rootfs=/x token -v 5 create abc', want: 'token create --rootfs=/x -v 5 abc' },
    { given: 'token --kubeconfig f create', want: 'token create --kubeconfig f' },
    { given: 'init --config f p certs --dry-run', want: 'init p certs --config f --dry-run' },
    { given: 'token create --output json abc', want: 'token create --output json abc' },
    { given: '--nonsense init', want: '--nonsense init' },
    { given: 'init --config', want: 'init --config' },
    { given: '', want: '' },
  ];
  for (const { given, want } of cases) {
    test(given, () => {
      const words = given === '' ? [] : given.split(' ');
      assert.equal(argumentWords(program(), words).join(' '), want);
    });
  }

  test('a switch that is neither on nor off', () => {
    const code = 'cli.usage';
    assert.throws(() => argumentWords(program(), ['init', '--dry-run=maybe']), { code });
  });
});
