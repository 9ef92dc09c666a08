import type { AvailableUpgrade, PlannedComponent, UpgradePlan } from '@slipway/bootstrap';
import { textTable } from '../../text-table.ts';

const componentHeader = ['COMPONENT', 'NODE', 'CURRENT', 'TARGET'];
const configurationHeader = [
  'API GROUP',
  'CURRENT VERSION',
  'PREFERRED VERSION',
  'MANUAL UPGRADE REQUIRED',
];

function known(version: string): string {
  return version === '' ? '-' : version;
}

function componentTable(components: readonly PlannedComponent[]): readonly string[] {
  const rows = components.map(({ name, nodeName = '', currentVersion, newVersion }) => [
    name,
    nodeName,
    known(currentVersion),
    newVersion,
  ]);
  return textTable(componentHeader, rows);
}

const levels = { refused: 'error', forceable: 'warning', note: 'note' } as const;

function upgradeText(upgrade: AvailableUpgrade): readonly string[] {
  const { components, findings, kubernetesVersion } = upgrade;
  const kubelets = components.filter(({ name }) => name === 'kubelet');
  const others = components.filter(({ name }) => name !== 'kubelet');
  const byHand =
    kubelets.length === 0
      ? []
      : [
          '',
          'To be upgraded by hand, node by node, when the control plane is done:',
          '',
          ...componentTable(kubelets),
        ];
  const apply = findings.some(({ level }) => level === 'refused')
    ? ['', 'The upgrade is not possible: see the errors above.']
    : [
        '',
        'This version of slipway only plans. To apply, on the first control plane:',
        '',
        `    kubeadm upgrade apply ${kubernetesVersion}`,
      ];
  return [
    '',
    `${kubernetesVersion}: ${upgrade.description}`,
    ...findings.map(({ level, message, hint }) => `  ${levels[level]}: ${message}; ${hint}`),
    '',
    ...componentTable(others),
    ...byHand,
    ...apply,
  ];
}

function list(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : ['', title, ...entries.map((entry) => `  - ${entry}`)];
}

/** A plan for people. */
export function upgradePlanText(plan: UpgradePlan): readonly string[] {
  const { availableUpgrades, clusterVersion, configVersions } = plan;
  const configurations = configVersions.map((state) => [
    state.group,
    known(state.currentVersion),
    known(state.preferredVersion),
    state.manualUpgradeRequired ? 'yes' : 'no',
  ]);
  const nothing = clusterVersion !== undefined && availableUpgrades.length === 0;
  return [
    `Version of the cluster: ${clusterVersion ?? 'not known'}`,
    ...(nothing ? ['There is nothing newer that slipway knows: the cluster is up to date.'] : []),
    ...list('Before an upgrade:', plan.problems),
    ...list('Not known:', plan.unknown),
    ...availableUpgrades.flatMap(upgradeText),
    '',
    'Component configurations; those with "yes" have to be rewritten by hand before the upgrade:',
    '',
    ...textTable(configurationHeader, configurations),
  ];
}
