import {
  companionVersions,
  observeCluster,
  observeFiles,
  planUpgrade,
  readNodeFacts,
  renderClusterConfiguration,
  yamlText,
} from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import type { ClusterFlags } from './cluster-access.ts';
import { createGround } from './ground.ts';
import { upgradePlanText } from './upgrade-plan-text.ts';
import { openUpgrade, plainCluster } from './upgrade-source.ts';
import { upgradeVersion } from './upgrade-version.ts';

export type UpgradePlanFlags = ClusterFlags & {
  readonly config?: string;
  readonly allowExperimentalUpgrades?: boolean;
  readonly allowReleaseCandidateUpgrades?: boolean;
  /** `true` where the flag is given without a value. */
  readonly etcdUpgrade?: boolean;
  readonly printConfig?: boolean;
  readonly output: 'text' | 'json' | 'yaml';
};

/** `upgrade plan`: what can be upgraded to, and what would change. */
export async function printUpgradePlan(
  target: string | undefined,
  flags: UpgradePlanFlags,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
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
  if (flags.output === 'json') output.line(JSON.stringify(object, undefined, 2));
  else if (flags.output === 'yaml') output.line(yamlText(object).trimEnd());
  else for (const line of upgradePlanText(plan)) output.line(line);
}
