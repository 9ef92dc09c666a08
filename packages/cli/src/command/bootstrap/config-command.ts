import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import { addConfigImagesCommand } from './config-images-command.ts';
import type { MigrateFlags } from './config-migrate.ts';
import type { PrintFlags } from './config-print.ts';
import type { ValidateFlags } from './config-validate.ts';

/** Puts `config print|migrate|validate` below the program; `config images` is added by its own file. */
export function addConfigCommand(
  program: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): Command {
  const config = program
    .command('config')
    .description('configuration files: print defaults, rewrite old versions, check');
  addPrint(config, context);
  addMigrate(config, context);
  addValidate(config, context, setExitCode);
  addConfigImagesCommand(config, context);
  return config;
}

const printed = {
  init: 'print what `slipway init` works with when nothing is given',
  join: 'print what `slipway join` works with when nothing is given',
  reset: 'print what `slipway reset` works with when nothing is given',
  upgrade: 'print what `slipway upgrade` works with when nothing is given',
} as const;

function addPrint(parent: Command, context: CommandContext): void {
  const print = parent.command('print').description('print default configurations');
  for (const [workflow, description] of Object.entries(printed)) {
    const command = withGroundFlags(print.command(`${workflow}-defaults`)).description(description);
    if (workflow === 'init') {
      command.option(
        '--component-configs <kinds>',
        'also print KubeletConfiguration and KubeProxyConfiguration: a list with commas',
        collect,
      );
    }
    command.action(async (flags: PrintFlags) => {
      const { printDefaults } = await import('./config-print.ts');
      await printDefaults(workflow as keyof typeof printed, flags, context);
    });
  }
}

function addMigrate(parent: Command, context: CommandContext): void {
  withGroundFlags(parent.command('migrate'))
    .description('rewrite a configuration of any version as kubeadm.k8s.io/v1beta4')
    .requiredOption('--old-config <file>', 'what to rewrite; - for standard input')
    .option('--new-config <file>', 'where it goes (default: standard output)')
    .option('--allow-experimental-api', 'read kubeadm.k8s.io/v1 without a warning')
    .option('--strict', 'refuse fields that are not known')
    .addHelpText(
      'after',
      `
Examples:
  slipway config migrate --old-config kubeadm-2018.yaml --new-config kubeadm.yaml`,
    )
    .action(async (flags: MigrateFlags) => {
      const { migrateConfiguration } = await import('./config-migrate.ts');
      await migrateConfiguration(flags, context);
    });
}

function addValidate(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  withGroundFlags(parent.command('validate'))
    .description('check a configuration and tell everything that is wrong with it')
    .requiredOption('--config <file>', 'what to check; - for standard input')
    .option('--allow-experimental-api', 'read kubeadm.k8s.io/v1 without a warning')
    .addOption(
      new Option(
        '--allow-deprecated-api',
        'for command lines of kubeadm: old versions are read anyway',
      ),
    )
    .addOption(
      new Option('--strict', 'refuse fields that are not known: validate always does').hideHelp(),
    )
    .addOption(
      new Option('-o, --output <format>', 'form of the findings')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .action(async (flags: ValidateFlags) => {
      const { validateConfiguration } = await import('./config-validate.ts');
      setExitCode(await validateConfiguration(flags, context));
    });
}

function withGroundFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'for command lines of kubeadm: no cluster is asked')
    .option('--rootfs <directory>', 'take this directory for the root of the machine')
    .option('-v, --v <level>', 'level of detail of the log', Number);
}

function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), ...text.split(',').filter(Boolean)];
}
