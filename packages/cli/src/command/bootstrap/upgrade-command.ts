import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import type { UpgradeDiffFlags } from './upgrade-diff.ts';
import type { UpgradePlanFlags } from './upgrade-plan.ts';

/** Puts `upgrade plan|diff|apply|node` below the program. */
export function addUpgradeCommand(program: Command, context: CommandContext): void {
  const upgrade = program
    .command('upgrade')
    .description('what an upgrade of the cluster would change');
  addPlan(upgrade, context);
  addDiff(upgrade, context);
  for (const name of ['apply', 'node']) addRefusal(upgrade, name);
}

/** Flags that plan and diff take, as with kubeadm. */
function withSourceFlags(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'UpgradeConfiguration; with a ClusterConfiguration in it, only files are read and no cluster is asked',
    )
    .option(
      '--kubeconfig <file>',
      'kubeconfig of an administrator (default: $KUBECONFIG or ~/.kube/config, else /etc/kubernetes/admin.conf)',
    )
    .option(
      '--rootfs <directory>',
      'take this directory for the root of the machine; a cluster that does not answer is left out',
    )
    .option('-v, --v <level>', 'level of detail of the log', Number);
}

/** A switch that may be given `=true` or `=false`. */
function truth(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new InvalidArgumentError('It must be true or false.');
}

/** Repeated and with commas, as kubeadm takes lists. */
function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), ...text.split(',').filter(Boolean)];
}

function lineCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function addPlan(parent: Command, context: CommandContext): void {
  withSourceFlags(parent.command('plan'))
    .description('list the versions that the cluster can be upgraded to, and what would change')
    .argument('[version]', 'only this one; it need not be known')
    .option(
      '--allow-experimental-upgrades [on]',
      'alpha, beta and release candidates may be planned',
      truth,
    )
    .option('--allow-release-candidate-upgrades [on]', 'release candidates may be planned', truth)
    .option('--etcd-upgrade [on]', 'upgrade etcd as well (default: true)', truth)
    .option(
      '--ignore-preflight-errors <list>',
      'accepted for scripts made for kubeadm, without effect: a plan checks no machine',
      collect,
    )
    .option('--print-config [on]', 'print the configuration of the cluster as well', truth)
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway upgrade plan
  slipway upgrade plan v1.37.2 -o json
  slipway upgrade plan --rootfs /mnt/cp1 --config cluster.yaml`,
    )
    .action(async (version: string | undefined, flags: UpgradePlanFlags) => {
      const { printUpgradePlan } = await import('./upgrade-plan.ts');
      await printUpgradePlan(version, flags, context);
    });
}

function addDiff(parent: Command, context: CommandContext): void {
  withSourceFlags(parent.command('diff'))
    .description('show how the static pod manifests of this node would change')
    .argument('[version]', 'what to compare with (default: the version of the configuration)')
    .option('-c, --context-lines <count>', 'equal lines around a change (default: 3)', lineCount)
    .option('--patches <directory>', 'patches that the manifests are written with')
    .addHelpText(
      'after',
      `
Examples:
  slipway upgrade diff v1.37.2
  slipway upgrade diff v1.37.2 --rootfs /mnt/cp1 --config cluster.yaml`,
    )
    .action(async (version: string | undefined, flags: UpgradeDiffFlags) => {
      const { printUpgradeDiff } = await import('./upgrade-diff.ts');
      await printUpgradeDiff(version, flags, context);
    });
}

/** Commands that change a cluster: refused by name, with what can be done instead. */
function addRefusal(parent: Command, name: string): void {
  parent
    .command(name)
    .description(
      `not in this version of slipway: use \`kubeadm upgrade ${name}\` of the target version`,
    )
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async () => {
      const { refuseUpgrade } = await import('./refuse-upgrade.ts');
      refuseUpgrade(name);
    });
}
