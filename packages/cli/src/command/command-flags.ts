import { type Command, InvalidArgumentError, Option } from 'commander';

/** Adds the flags that every bootstrap command has, as kubeadm's have them. */
export function withMachineFlags(command: Command, rootfs = rootfsText): Command {
  return command
    .option('--rootfs <directory>', rootfs)
    .addOption(
      new Option('-v, --v <level>', 'level of detail of the log (default: 0)').argParser(
        wholeNumber,
      ),
    )
    .addOption(new Option('--vmodule <pattern=level>').hideHelp());
}

/** What `--kubeconfig` is for in a command that asks no cluster. */
export const withoutCluster =
  'accepted for scripts made for kubeadm, without effect: no cluster is asked';

/** What `--rootfs` is for in a command that reads and writes no file. */
export const withoutRoot = 'accepted as everywhere, without effect: no file is read';

const rootfsText = 'take this directory for the root of the machine (default: /)';

/** Adds flags without a value, which may be given `=true` or `=false` as with kubeadm. */
export function withSwitches(
  command: Command,
  descriptions: Readonly<Record<string, string>>,
): Command {
  for (const [flags, description] of Object.entries(descriptions)) {
    const shown = new Option(flags, description);
    command.addOption(shown).addOption(new Option(`--no-${shown.name()}`).hideHelp());
  }
  return command;
}

/** Parser of a flag that is repeated or takes commas, as kubeadm takes lists. */
export function collect(given: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), ...given.split(',').filter((word) => word !== '')];
}

/** Parser of a flag that is a count. */
export function wholeNumber(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new InvalidArgumentError('It must be a whole number.');
}
