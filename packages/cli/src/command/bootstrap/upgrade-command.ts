import type { Command } from 'commander';
import { withAnswerFlags } from '../../answer/answer-format.ts';
import { collect, wholeNumber, withMachineFlags, withSwitches } from '../command-flags.ts';
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
  return withMachineFlags(
    command,
    'take this directory for the root of the machine (default: /); a cluster that does not answer is left out',
  )
    .option(
      '--config <file>',
      'UpgradeConfiguration; with a ClusterConfiguration in it, only files are read and no cluster is asked',
    )
    .option(
      '--kubeconfig <file>',
      'kubeconfig of an administrator (default: $KUBECONFIG or ~/.kube/config, else /etc/kubernetes/admin.conf)',
    );
}

const planSwitches = {
  '--allow-experimental-upgrades': 'alpha, beta and release candidates may be planned',
  '--allow-release-candidate-upgrades': 'release candidates may be planned',
  '--etcd-upgrade': 'upgrade etcd as well (default: true)',
  '--print-config': 'print the configuration of the cluster as well',
};

function addPlan(parent: Command, context: CommandContext): void {
  const command = withAnswerFlags(withSourceFlags(parent.command('plan')));
  withSwitches(command, planSwitches)
    .description('list the versions that the cluster can be upgraded to, and what would change')
    .argument('[version]', 'only this one; it need not be known')
    .option(
      '--ignore-preflight-errors <list>',
      'accepted for scripts made for kubeadm, without effect: a plan checks no machine',
      collect,
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
    .option('-c, --context-lines <count>', 'equal lines around a change (default: 3)', wholeNumber)
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
