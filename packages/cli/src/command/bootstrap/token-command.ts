import type { Command } from 'commander';
import { withAnswerFlags } from '../../answer/answer-format.ts';
import { collect, withMachineFlags, withSwitches } from '../command-flags.ts';
import type { CommandContext } from '../program.ts';
import type { TokenCreateFlags, TokenFlags, TokenListFlags } from './token.ts';

/** Puts `token create|list|delete|generate` below the program. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .description('bootstrap tokens: what hosts join the cluster with');
  addCreate(token, context);
  addList(token, context);
  addDelete(token, context);
  addGenerate(token, context);
}

/** Flags that every token command takes, as with kubeadm. */
function withClusterFlags(command: Command): Command {
  const switches = { '--dry-run': 'tell what would be done, and do nothing' };
  return withSwitches(withMachineFlags(command), switches).option(
    '--kubeconfig <file>',
    'kubeconfig of an administrator (default: $KUBECONFIG or ~/.kube/config, else /etc/kubernetes/admin.conf)',
  );
}

function addCreate(parent: Command, context: CommandContext): void {
  const switches = {
    '--print-join-command': 'print the command that joins a node, not only the token',
  };
  withSwitches(withClusterFlags(parent.command('create')), switches)
    .description('create a token in the cluster and print it, or the command that joins with it')
    .argument('[token]', 'of the form [a-z0-9]{6}.[a-z0-9]{16} (default: a random one)')
    .option('--ttl <duration>', 'how long it is good for; 0: for ever (default: 24h0m0s)')
    .option('--usages <list>', 'what it may be used for (default: signing,authentication)', collect)
    .option(
      '--groups <list>',
      'groups that it authenticates as (default: system:bootstrappers:kubeadm:default-node-token)',
      collect,
    )
    .option('--description <text>', 'what it is for')
    .option('--config <file>', 'take the tokens from the InitConfiguration in this file')
    .option(
      '--certificate-key <key>',
      'with --print-join-command: print the command that joins a control plane',
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway token create --print-join-command
  slipway token create --ttl 2h --description 'rack 7'
  slipway token create --config init.yaml`,
    )
    .action(async (token: string | undefined, flags: TokenCreateFlags) => {
      const { createTokens } = await import('./token.ts');
      await createTokens(token, flags, context);
    });
}

function addList(parent: Command, context: CommandContext): void {
  withAnswerFlags(withClusterFlags(parent.command('list')))
    .description('list the tokens of the cluster')
    .action(async (flags: TokenListFlags) => {
      const { printTokens } = await import('./token.ts');
      await printTokens(flags, context);
    });
}

function addDelete(parent: Command, context: CommandContext): void {
  withClusterFlags(parent.command('delete'))
    .description('delete tokens of the cluster')
    .argument('<token...>', 'ids or whole tokens')
    .action(async (tokens: readonly string[], flags: TokenFlags) => {
      const { removeTokens } = await import('./token.ts');
      await removeTokens(tokens, flags, context);
    });
}

function addGenerate(parent: Command, context: CommandContext): void {
  withClusterFlags(parent.command('generate'))
    .description('print a random token that no cluster knows yet')
    .action(async () => {
      const { generateToken } = await import('./token.ts');
      generateToken(context);
    });
}
