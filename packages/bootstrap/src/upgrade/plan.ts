import {
  compareKubernetesVersions,
  type KubernetesVersion,
  parseKubernetesVersion,
} from '../version/kubernetes-version.ts';
import { decideUpgrade, type UpgradeFinding, type UpgradeProposal } from './decide.ts';
import { knownReleases } from './known-releases.ts';
import {
  controlPlanePods,
  type ObservedCluster,
  type ObservedComponent,
} from './observed-cluster.ts';

/** A row of a plan. */
export type PlannedComponent = {
  readonly name: string;
  /** Empty: not known. */
  readonly currentVersion: string;
  readonly newVersion: string;
  readonly nodeName?: string;
};

/** One way to go. */
export type AvailableUpgrade = {
  /** `version in the v1.37 series`. */
  readonly description: string;
  readonly kubernetesVersion: string;
  readonly components: readonly PlannedComponent[];
  readonly findings: readonly UpgradeFinding[];
};

/** Whether a component configuration is of the version that the target reads. */
export type ConfigurationState = {
  readonly group: string;
  /** Empty: not known. */
  readonly currentVersion: string;
  readonly preferredVersion: string;
  readonly manualUpgradeRequired: boolean;
};

export type UpgradePlan = {
  /** Version of the newest API server; undefined when it is not known. */
  readonly clusterVersion?: string;
  readonly availableUpgrades: readonly AvailableUpgrade[];
  readonly configVersions: readonly ConfigurationState[];
  readonly problems: readonly string[];
  readonly unknown: readonly string[];
};

export type PlanRequest = {
  /** What the user asks for; absent: the newest patch of the cluster's minor version and of the next. */
  readonly target?: string;
  /** Default true. */
  readonly etcdUpgrade?: boolean;
  readonly allowExperimentalUpgrades?: boolean;
  readonly allowRCUpgrades?: boolean;
  /** Versions of what comes with a release; a tag that the user set is his affair and stays. */
  readonly companions: (kubernetesVersion: string) => {
    readonly etcd: string;
    readonly coreDns: string;
  };
};

/** API versions that all supported kubelets and kube-proxies read, by group. */
const preferredVersions = {
  'kubeproxy.config.k8s.io': 'v1alpha1',
  'kubelet.config.k8s.io': 'v1beta1',
} as const;

function versionOf(text: string): KubernetesVersion {
  return parseKubernetesVersion(text) ?? { major: 0, minor: 0, patch: 0, preRelease: '' };
}

function isNewer(a: string, b: string): boolean {
  return compareKubernetesVersions(versionOf(a), versionOf(b)) > 0;
}

/** Version of the newest API server; of the one that answered where none is a static pod. */
function clusterVersion({ components, serverVersion }: ObservedCluster): string | undefined {
  const versions = components
    .filter(({ component }) => component === 'kube-apiserver')
    .map(({ version }) => version)
    .sort((a, b) => compareKubernetesVersions(versionOf(a), versionOf(b)));
  return versions.at(-1) ?? serverVersion;
}

/** Where a cluster can go: the releases that are known of its own and of the next minor version. */
function reachable(cluster: string): readonly string[] {
  const { minor } = versionOf(cluster);
  return knownReleases.filter((release) => {
    const step = versionOf(release).minor - minor;
    return step >= 0 && step <= 1 && isNewer(release, cluster);
  });
}

function describeTarget(target: string): string {
  const { major, minor, preRelease } = versionOf(target);
  if (preRelease.startsWith('rc')) return 'release candidate version';
  if (preRelease !== '') return 'experimental version';
  return `version in the v${major}.${minor} series`;
}

function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`;
}

/** Rows of one program, oldest version first, as kubeadm sorts them. */
function rowsOf(
  components: readonly ObservedComponent[],
  name: ObservedComponent['component'],
  newVersion: string,
): readonly PlannedComponent[] {
  const row = ({ version, node }: ObservedComponent): PlannedComponent => ({
    name,
    currentVersion: version,
    newVersion,
    nodeName: node,
  });
  const key = ({ version, node }: ObservedComponent) => `${version} ${node}`;
  return components
    .filter(({ component }) => component === name)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(row);
}

function plannedComponents(
  observed: ObservedCluster,
  target: string,
  request: PlanRequest,
): readonly PlannedComponent[] {
  const { components } = observed;
  const { etcd, coreDns } = request.companions(target);
  const kubelets = rowsOf(components, 'kubelet', target);
  const isKubeletDue = kubelets.some(({ currentVersion }) => currentVersion !== target);
  const pods = controlPlanePods.filter((name) => name !== 'etcd');
  return [
    ...(isKubeletDue ? kubelets : []),
    ...pods.flatMap((name) => rowsOf(components, name, target)),
    ...clusterRow('kube-proxy', observed.kubeProxy, target),
    ...clusterRow('CoreDNS', observed.coreDns, coreDns),
    ...(request.etcdUpgrade === false ? [] : rowsOf(components, 'etcd', etcd)),
  ];
}

/** What runs once per cluster; no row for what is not there. */
function clusterRow(
  name: string,
  currentVersion: string | undefined,
  newVersion: string,
): readonly PlannedComponent[] {
  return currentVersion === undefined ? [] : [{ name, currentVersion, newVersion }];
}

function configurationStates(observed: ObservedCluster): readonly ConfigurationState[] {
  return Object.entries(preferredVersions).map(([group, preferredVersion]) => {
    const found = observed.configurations.find((each) => each.group === group);
    const currentVersion = found?.version ?? '';
    const manualUpgradeRequired = currentVersion !== '' && currentVersion !== preferredVersion;
    return { group, currentVersion, preferredVersion, manualUpgradeRequired };
  });
}

/** What an upgrade of the cluster would change, for every version that it can go to. */
export function planUpgrade(observed: ObservedCluster, request: PlanRequest): UpgradePlan {
  const cluster = clusterVersion(observed);
  const asked = request.target === undefined ? undefined : withV(request.target);
  const targets = asked === undefined ? reachable(cluster ?? '') : [asked];
  const kubelets = observed.components
    .filter(({ component }) => component === 'kubelet')
    .map(({ version }) => version);
  const question: Omit<UpgradeProposal, 'target'> = {
    supported: { oldest: knownReleases.at(0) ?? '', newest: knownReleases.at(-1) ?? '' },
    allowExperimentalUpgrades: request.allowExperimentalUpgrades === true,
    allowRCUpgrades: request.allowRCUpgrades === true,
    ...(cluster === undefined ? {} : { cluster }),
    ...(kubelets.length === 0 ? {} : { kubelets }),
  };
  return {
    ...(cluster === undefined ? {} : { clusterVersion: cluster }),
    availableUpgrades: targets
      .filter((target) => target !== cluster)
      .map((target) => ({
        description: describeTarget(target),
        kubernetesVersion: target,
        components: plannedComponents(observed, target, request),
        findings: decideUpgrade({ ...question, target }),
      })),
    configVersions: configurationStates(observed),
    problems: observed.problems,
    unknown: observed.unknown,
  };
}
