import type { Command } from 'commander';
import { commandPath } from './command-tree.ts';

/** Shells that there are completions for: those of kubeadm. */
export const completedShells = ['bash', 'zsh'] as const;

export type CompletedShell = (typeof completedShells)[number];

/**
 * Shell code that completes the names of commands and flags of `program`. A word behind a flag with a
 * value, and one that nothing is known for, is completed as the shell does by itself: names of files.
 * zsh takes the code of bash by its own bashcompinit.
 */
export function completionScript(program: Command, shell: CompletedShell): string {
  const name = program.name();
  const commands = visibleCommands(program);
  const valued = valueFlags([program, ...commands]).join('|');
  return `${shell === 'zsh' ? zshPrelude : ''}_${name}() {
  local command='${name}' words='${wordsOf(program)}' current="$2" before='' word at=0
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]}"; do
    [ "$at" -ge "$COMP_CWORD" ] && break
    at=$((at + 1))
    # bash cuts --flag=value in three.
    { [ "$at" -eq 1 ] || [ "$word" = '=' ]; } && continue
    case "$before" in
      ${valued}) before='' ; continue ;;
    esac
    before="$word"
    case "$command $word" in
${commands.map(transition).join('\n')}
    esac
  done
  case "$before" in
    ${valued}) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}`;
}

const zshPrelude = `autoload -U +X compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
`;

/** What the shell does when a word names `command`, by its name or by an alias. */
function transition(command: Command): string {
  const parent = command.parent === null ? '' : `${commandPath(command.parent)} `;
  const names = [command.name(), ...command.aliases()].map((name) => `'${parent}${name}'`);
  return `      ${names.join('|')}) command='${commandPath(command)}' words='${wordsOf(command)}' ;;`;
}

/** Names of commands and long flags that may follow. */
function wordsOf(command: Command): string {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const flags = visibleOptions(command).map(({ long }) => long);
  return [...names, ...choices, ...flags.filter(isText)].join(' ');
}

/** Flags, short and long, that a value follows. */
function valueFlags(commands: readonly Command[]): readonly string[] {
  const options = commands.flatMap(visibleOptions).filter(({ required }) => required);
  return [...new Set(options.flatMap(({ short, long }) => [short, long]).filter(isText))];
}

function visibleCommands(parent: Command): readonly Command[] {
  const children = parent.createHelp().visibleCommands(parent);
  return children.flatMap((child) => [child, ...visibleCommands(child)]);
}

function visibleOptions(command: Command) {
  return command.createHelp().visibleOptions(command);
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}
