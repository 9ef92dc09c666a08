import type { Patches, UpgradeConfiguration } from './configuration.ts';
import { timeoutsOf } from './defaults.ts';
import type { Finding } from './finding.ts';
import { ignoredChecks, type UpgradeFlags } from './flags.ts';
import { type Given, type GivenUpgrade, givenOf } from './given.ts';
import { type LoadOptions, loadConfiguration } from './load.ts';
import { missing } from './settle-cluster.ts';
import { settleVersion } from './settle-version.ts';
import { FindingCollector, type Settled } from './settled.ts';
import { unexpectedKinds } from './unexpected-kinds.ts';
import { checkAbsolutePath, checkImagePullPolicy, none, refuse } from './validate/rules.ts';

export type UpgradeOrder = {
  /** The configuration file; absent: flags and defaults alone. */
  readonly text?: string | undefined;
  readonly flags?: UpgradeFlags;
  readonly load?: LoadOptions;
};

/** All that `upgrade` and its sub-commands are told: file, flags over it, defaults, checked. */
export function settleUpgrade(order: UpgradeOrder): Settled<UpgradeConfiguration> {
  const { text = '', flags = {} } = order;
  const file = loadConfiguration(text, order.load);
  const found = new FindingCollector(file);
  const kind = 'UpgradeConfiguration';
  if (text !== '') {
    for (const [other, findings] of unexpectedKinds(file, [kind])) found.add(other, findings);
    if (file.documents[kind] === undefined) found.add(kind, [missing(kind)]);
  }
  const given = givenOf<GivenUpgrade>(file.documents[kind]?.object);
  const upgrade: UpgradeConfiguration = {
    apply: {
      ...writing(given.apply, flags),
      ...target(given.apply, flags),
      forceUpgrade: flags.force ?? given.apply?.forceUpgrade ?? false,
    },
    node: writing(given.node, flags),
    plan: { ...reading(given.plan, flags), ...target(given.plan, flags) },
    diff: {
      ...version(given.diff?.kubernetesVersion, flags),
      contextLines: contextLines(given, flags),
    },
    timeouts: timeoutsOf(given.timeouts),
  };
  found.add(kind, findingsOf(upgrade, given));
  return found.settled(upgrade);
}

type Reading = Given<UpgradeConfiguration['plan']> | undefined;
type Writing = Given<UpgradeConfiguration['node']> | undefined;

function reading(given: Reading | Writing, flags: UpgradeFlags) {
  return {
    dryRun: flags.dryRun ?? given?.dryRun ?? false,
    etcdUpgrade: flags.etcdUpgrade ?? given?.etcdUpgrade ?? true,
    ignorePreflightErrors: ignoredChecks(
      given?.ignorePreflightErrors ?? [],
      flags.ignorePreflightErrors,
    ).ignored,
  };
}

function writing(given: Writing, flags: UpgradeFlags): UpgradeConfiguration['node'] {
  const directory = flags.patches ?? given?.patches?.directory;
  const patches: { patches?: Patches } =
    directory === undefined || directory === '' ? {} : { patches: { directory } };
  return {
    ...reading(given, flags),
    certificateRenewal: flags.certificateRenewal ?? given?.certificateRenewal ?? true,
    ...patches,
    skipPhases: flags.skipPhases ?? given?.skipPhases ?? [],
    imagePullPolicy: given?.imagePullPolicy ?? 'IfNotPresent',
    imagePullSerial: given?.imagePullSerial ?? true,
  };
}

function version(given: string | undefined, flags: UpgradeFlags) {
  const kubernetesVersion = flags.kubernetesVersion ?? given;
  return kubernetesVersion === undefined || kubernetesVersion === '' ? {} : { kubernetesVersion };
}

function target(given: Given<UpgradeConfiguration['apply']> | Reading, flags: UpgradeFlags) {
  return {
    ...version(given?.kubernetesVersion, flags),
    allowExperimentalUpgrades:
      flags.allowExperimentalUpgrades ?? given?.allowExperimentalUpgrades ?? false,
    allowRCUpgrades: flags.allowReleaseCandidateUpgrades ?? given?.allowRCUpgrades ?? false,
    printConfig: flags.printConfig ?? given?.printConfig ?? false,
  };
}

/** kubeadm takes 0 for "not given": 3 lines. */
function contextLines(given: GivenUpgrade, flags: UpgradeFlags): number {
  const lines = flags.contextLines ?? given.diff?.contextLines ?? 0;
  return lines === 0 ? 3 : lines;
}

function findingsOf(upgrade: UpgradeConfiguration, given: GivenUpgrade): readonly Finding[] {
  const sections = [
    ['apply', upgrade.apply, given.apply] as const,
    ['node', upgrade.node, given.node] as const,
  ];
  const written = sections.flatMap(([name, settled, section]) => [
    ...(section?.patches?.directory === undefined
      ? none
      : checkAbsolutePath(section.patches.directory, [name, 'patches', 'directory'])),
    ...checkImagePullPolicy(settled.imagePullPolicy, [name, 'imagePullPolicy']),
  ]);
  const versions = (['apply', 'plan', 'diff'] as const).flatMap((name) => {
    const text = upgrade[name].kubernetesVersion;
    if (text === undefined) return none;
    return settleVersion(text).findings.map((finding) => ({
      ...finding,
      path: [name, 'kubernetesVersion'],
    }));
  });
  const lines =
    upgrade.diff.contextLines < 0
      ? refuse('bootstrap.config.wrong-type', ['diff', 'contextLines'], 'lines cannot be negative')
      : none;
  return [...written, ...versions, ...lines];
}
