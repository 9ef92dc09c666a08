import type { Command } from 'commander';

/** Every command below `parent`. */
export function allCommands(parent: Command): readonly Command[] {
  return parent.commands.flatMap((command) => [command, ...allCommands(command)]);
}

/** The command directly below `parent` that `word` names, by its name or by an alias. */
export function childNamed(parent: Command, word: string): Command | undefined {
  return parent.commands.find(
    (command) => command.name() === word || command.aliases().includes(word),
  );
}

/** `slipway certs renew`: what a user types to run the command. */
export function commandPath(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${commandPath(command.parent)} ${command.name()}`;
}
