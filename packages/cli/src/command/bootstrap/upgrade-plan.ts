import {
  companionVersions,
  observeCluster,
  observeFiles,
  planUpgrade,
  readNodeFacts,
  renderClusterConfiguration,
} from '@slipway/bootstrap';
import type { AnswerFlags } from '../../answer/answer-format.ts';
import { openAnswer } from '../../answer/print-answer.ts';
import type { CommandContext } from '../program.ts';
import type { ClusterFlags } from './cluster-access.ts';
import { createGround } from './ground.ts';
import { upgradePlanText } from './upgrade-plan-text.ts';
import { openUpgrade, plainCluster } from './upgrade-source.ts';
import { upgradeVersion } from './upgrade-version.ts';

export type UpgradePlanFlags = ClusterFlags &
  AnswerFlags & {
    readonly config?: string;
    readonly allowExperimentalUpgrades?: boolean;
    readonly allowReleaseCandidateUpgrades?: boolean;
    readonly etcdUpgrade?: boolean;
    readonly printConfig?: boolean;
  };

/** `upgrade plan`: what can be upgraded to, and what would change. */
export async function printUpgradePlan(
  target: string | undefined,
  flags: UpgradePlanFlags,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const print = await openAnswer(flags, context);
  const ground = createGround(context, flags);
  await using source = await openUpgrade(flags, ground, context);
  const { client, configuration } = source;
  const { name } = await readNodeFacts(ground);
  const observed =
    client === undefined ? await observeFiles(ground.files, name) : await observeCluster(client);
  const asked = target ?? configuration.plan.kubernetesVersion;
  const plan = planUpgrade(observed, {
    ...(asked === undefined ? {} : { target: upgradeVersion(asked) }),
    etcdUpgrade: flags.etcdUpgrade ?? configuration.plan.etcdUpgrade,
    allowExperimentalUpgrades:
      flags.allowExperimentalUpgrades ?? configuration.plan.allowExperimentalUpgrades,
    allowRCUpgrades: flags.allowReleaseCandidateUpgrades ?? configuration.plan.allowRCUpgrades,
    companions: companionVersions((await source.cluster()) ?? plainCluster(context)),
  });
  if (flags.printConfig ?? configuration.plan.printConfig) {
    output.line(renderClusterConfiguration((await source.node()).cluster).trimEnd());
  }
  const object = { kind: 'UpgradePlan', apiVersion: 'output.kubeadm.k8s.io/v1alpha3', ...plan };
  print({ objects: [object], text: () => upgradePlanText(plan) });
}
