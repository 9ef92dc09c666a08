import { type Command, Option } from 'commander';
import { collect, withMachineFlags, withoutCluster, withSwitches } from '../command-flags.ts';
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

const readSwitches = {
  '--allow-experimental-api': 'read kubeadm.k8s.io/v1 without a warning',
  '--strict': 'refuse fields that are not known',
};

const validateSwitches = {
  ...readSwitches,
  '--strict': 'accepted as for migrate, without effect: unknown fields are always refused',
  '--allow-deprecated-api':
    'accepted for scripts made for kubeadm, without effect: old versions are always read',
};

function addMigrate(parent: Command, context: CommandContext): void {
  withSwitches(withGroundFlags(parent.command('migrate')), readSwitches)
    .description('rewrite a configuration of any version as kubeadm.k8s.io/v1beta4')
    .requiredOption('--old-config <file>', 'what to rewrite; - for standard input')
    .option('--new-config <file>', 'where it goes (default: standard output)')
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
  withSwitches(withGroundFlags(parent.command('validate')), validateSwitches)
    .description('check a configuration and tell everything that is wrong with it')
    .requiredOption('--config <file>', 'what to check; - for standard input')
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
  return withMachineFlags(command).option('--kubeconfig <file>', withoutCluster);
}
