import { UserError } from '@slipway/base';
import type { Command, Option } from 'commander';
import type { CliErrorCode } from '../errors.ts';
import { allCommands, childNamed } from './command-tree.ts';

/**
 * A command line as kubeadm takes it, in the words that commander takes: `--dry-run=true`,
 * `--dry-run=false`, `-o=json`, and flags of all commands before the name of the command, as in
 * `slipway -v 5 init`.
 * @throws UserError `cli.usage` for a switch that is neither on nor off
 */
export function argumentWords(program: Command, argv: readonly string[]): readonly string[] {
  const words = withoutValues(program, argv);
  return behindTheCommand(program, words);
}

/** As Go reads them. */
const truths = /^(?:1|t|T|true|TRUE|True)$/;
const falsehoods = /^(?:0|f|F|false|FALSE|False)$/;

function withoutValues(program: Command, argv: readonly string[]): readonly string[] {
  const options = allCommands(program).flatMap((command) => command.options);
  const switches = new Map<string, Option>(
    options
      .filter((option) => options.some(({ long }) => long === `--no-${option.name()}`))
      .flatMap((option) =>
        [option.long, option.short].map((flag) => [flag ?? '', option] as const),
      ),
  );
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, index) => {
    const [, flag = '', value = ''] = /^(--[a-z-]+|-[a-z])=(.*)$/s.exec(word) ?? [];
    if (flag === '' || index > end) return [word];
    const option = switches.get(flag);
    if (option === undefined) return flag.startsWith('--') ? [word] : [flag, value];
    if (truths.test(value)) return [`--${option.name()}`];
    if (falsehoods.test(value)) return [`--no-${option.name()}`];
    const code: CliErrorCode = 'cli.usage';
    throw new UserError(`use ${word}: it must be true or false`, { code });
  });
}

/** Flags that kubeadm's groups pass on to their commands, and whether a value follows. */
const passedOn: ReadonlyMap<string, boolean> = new Map([
  ['--rootfs', true],
  ['-v', true],
  ['--v', true],
  ['--vmodule', true],
  ['--kubeconfig', true],
  ['--dry-run', false],
  ['--help', false],
  ['-h', false],
]);

/** A flag between the names of commands belongs to the last of them. */
function behindTheCommand(program: Command, words: readonly string[]): readonly string[] {
  const [names, flags]: [string[], string[]] = [[], []];
  let command = program;
  let at = 0;
  for (let taken = 1; taken > 0; at += taken) {
    const word = words[at] ?? '';
    const child = childNamed(command, word);
    taken = child === undefined ? flagLength(command, word) : 1;
    if (child === undefined) flags.push(...words.slice(at, at + taken));
    else names.push(word);
    command = child ?? command;
  }
  return [...names, ...flags, ...words.slice(at)];
}

/** How many words a flag of `command` takes, its own included; 0 for what is no flag of it. */
function flagLength(command: Command, word: string): number {
  const [flag = ''] = /^(?:--[a-z-]+|-[a-z])/.exec(word) ?? [];
  const option = command.options.find(({ long, short }) => long === flag || short === flag);
  const takesValue = option?.required ?? passedOn.get(flag);
  if (takesValue === undefined || command.commands.length === 0) return 0;
  return takesValue && flag === word ? 2 : 1;
}
