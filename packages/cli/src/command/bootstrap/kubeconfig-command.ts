import type { Command } from 'commander';
import { collect, withMachineFlags } from '../command-flags.ts';
import type { CommandContext } from '../program.ts';
import type { UserKubeconfigFlags } from './user-kubeconfig.ts';

/** Puts `kubeconfig user` below the program. */
export function addKubeconfigCommand(program: Command, context: CommandContext): void {
  const kubeconfig = program.command('kubeconfig').description('kubeconfigs of users');
  withMachineFlags(kubeconfig.command('user'))
    .description('print a kubeconfig for one more user; it holds a secret in the clear')
    .requiredOption('--client-name <name>', 'name of the user')
    .option('--org <groups>', 'groups of the user, repeated or with commas', collect)
    .option('--token <token>', 'token that takes the place of a certificate')
    .option('--validity-period <duration>', 'how long the certificate is good for', '8760h0m0s')
    .option('--config <file>', 'configuration of the cluster')
    .addHelpText(
      'after',
      `
Examples:
  slipway kubeconfig user --client-name alice --org team-a --config cluster.yaml > alice.conf`,
    )
    .action(async (flags: UserKubeconfigFlags) => {
      const { printUserKubeconfig } = await import('./user-kubeconfig.ts');
      await printUserKubeconfig(flags, context);
    });
}
