import type { Command } from 'commander';
import { withAnswerFlags } from '../../answer/answer-format.ts';
import { withMachineFlags, withoutRoot } from '../command-flags.ts';
import type { CommandContext } from '../program.ts';
import type {
  CertificateFlags,
  ExpirationFlags,
  RenewalFlags,
  SigningRequestFlags,
} from './certificates.ts';

/** Puts `certs check-expiration|renew|generate-csr|certificate-key` below the program. */
export function addCertificatesCommand(program: Command, context: CommandContext): void {
  const certificates = program
    .command('certs')
    .alias('certificates')
    .description('certificates of this control plane: when they end, and new ones');
  addCheckExpiration(certificates, context);
  addRenew(certificates, context);
  addGenerateRequests(certificates, context);
  addCertificateKey(certificates, context);
}

/** Flags of the commands that look at a certificate folder. */
function withFolderFlags(command: Command): Command {
  return withMachineFlags(command)
    .option('--cert-dir <directory>', 'where certificates are kept (default: /etc/kubernetes/pki)')
    .option('--config <file>', 'configuration of the cluster');
}

function withKubeconfigFlag(command: Command): Command {
  return command.option(
    '--kubeconfig <file>',
    'kubeconfig to ask the cluster for its configuration with (default: /etc/kubernetes/admin.conf)',
  );
}

function addCheckExpiration(parent: Command, context: CommandContext): void {
  withAnswerFlags(withKubeconfigFlag(withFolderFlags(parent.command('check-expiration'))))
    .description('tell when each certificate ends; works with a dead API server')
    .action(async (flags: ExpirationFlags) => {
      const { checkExpiration } = await import('./certificates.ts');
      await checkExpiration(flags, context);
    });
}

function addRenew(parent: Command, context: CommandContext): void {
  withKubeconfigFlag(withFolderFlags(parent.command('renew')))
    .description('renew one certificate or all; works with a dead API server')
    .argument('<name>', 'a name that check-expiration shows, or all')
    .addHelpText(
      'after',
      `
A renewed certificate has a new key and the names of the old one. For other names in it, move the
old one away and run: slipway init phase certs NAME

Examples:
  slipway certs renew all
  slipway certs renew apiserver`,
    )
    .action(async (name: string, flags: RenewalFlags) => {
      const { renew } = await import('./certificates.ts');
      const { aloneOnMachine } = await import('./alone-on-machine.ts');
      await aloneOnMachine(context, flags, () => renew(name, flags, context));
    });
}

function addGenerateRequests(parent: Command, context: CommandContext): void {
  withFolderFlags(parent.command('generate-csr'))
    .description('make keys and signing requests for authorities that are kept elsewhere')
    .option('--kubeconfig-dir <directory>', 'where kubeconfigs go (default: /etc/kubernetes)')
    .action(async (flags: SigningRequestFlags) => {
      const { generateRequests } = await import('./certificates.ts');
      await generateRequests(flags, context);
    });
}

function addCertificateKey(parent: Command, context: CommandContext): void {
  withMachineFlags(parent.command('certificate-key'), withoutRoot)
    .description('print a random key for --certificate-key of init and join')
    .action(async (_flags: CertificateFlags) => {
      const { printCertificateKey } = await import('./certificates.ts');
      printCertificateKey(context);
    });
}
