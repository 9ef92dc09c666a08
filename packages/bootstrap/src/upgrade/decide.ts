import {
  compareKubernetesVersions,
  type KubernetesVersion,
  parseKubernetesVersion,
} from '../version/kubernetes-version.ts';

/**
 * What speaks against an upgrade. `refused`: nothing makes it possible; `forceable`: `--force` does;
 * `note`: nothing, but it is good to know.
 */
export type UpgradeFinding = {
  readonly level: 'refused' | 'forceable' | 'note';
  /** The rule: stable, for programs. */
  readonly rule:
    | 'cluster-version-unknown'
    | 'target-malformed'
    | 'target-unsupported'
    | 'target-newer-than-slipway'
    | 'skips-minor'
    | 'downgrade-of-minors'
    | 'patch-not-known'
    | 'unstable'
    | 'kubelets-unknown'
    | 'kubelets-too-old';
  readonly message: string;
  readonly hint: string;
};

export type UpgradeProposal = {
  /** Version of the newest API server; undefined when it cannot be found out. */
  readonly cluster?: string;
  readonly target: string;
  /** Oldest and newest release that this program knows. */
  readonly supported: { readonly oldest: string; readonly newest: string };
  /** Versions of the kubelets; undefined when they cannot be found out. */
  readonly kubelets?: readonly string[];
  readonly allowExperimentalUpgrades?: boolean;
  readonly allowRCUpgrades?: boolean;
};

/** A kubelet may be this many minors older than the control plane (Kubernetes version skew policy). */
const kubeletSkew = 3;

type Versions = {
  readonly cluster: KubernetesVersion;
  readonly target: KubernetesVersion;
  readonly oldest: KubernetesVersion;
  readonly newest: KubernetesVersion;
};

/** Previews may break rules of skew when forced: who tries them knows. */
function skewLevel({ target }: Versions): 'refused' | 'forceable' {
  return target.preRelease === '' ? 'refused' : 'forceable';
}

function skewFindings(question: UpgradeProposal, versions: Versions): readonly UpgradeFinding[] {
  const { cluster, target } = versions;
  if (target.minor > cluster.minor + 1) {
    const message = `from ${question.cluster} to ${question.target} skips a minor version; the control plane goes one at a time`;
    const hint = `upgrade to v${cluster.major}.${cluster.minor + 1} first`;
    return [{ level: skewLevel(versions), rule: 'skips-minor', message, hint }];
  }
  if (target.minor < cluster.minor - 1) {
    const message = `from ${question.cluster} to ${question.target} goes back more than one minor version`;
    const hint = 'restore the cluster from a snapshot of that version instead';
    return [{ level: skewLevel(versions), rule: 'downgrade-of-minors', message, hint }];
  }
  return [];
}

function supportFindings(question: UpgradeProposal, versions: Versions): readonly UpgradeFinding[] {
  const { target, oldest, newest } = versions;
  const { supported } = question;
  if (
    compareKubernetesVersions({ ...target, patch: 0, preRelease: '' }, { ...oldest, patch: 0 }) < 0
  ) {
    const message = `${question.target} is older than v${oldest.major}.${oldest.minor}, the oldest minor version that slipway knows`;
    const hint = 'choose a newer version';
    return [{ level: 'refused', rule: 'target-unsupported', message, hint }];
  }
  if (compareKubernetesVersions(target, newest) <= 0) return [];
  if (target.minor > newest.minor || target.major > newest.major) {
    const message = `${question.target} is of a minor version that slipway does not know; the newest is ${supported.newest}`;
    const hint = 'use a slipway that knows it';
    return [{ level: skewLevel(versions), rule: 'target-newer-than-slipway', message, hint }];
  }
  const message = `${question.target} is newer than ${supported.newest}, the newest patch that slipway knows of that minor version`;
  const hint =
    'check that the release exists; images of etcd, CoreDNS and pause are those of the known patch';
  return [{ level: 'note', rule: 'patch-not-known', message, hint }];
}

function stabilityFindings(
  question: UpgradeProposal,
  { target }: Versions,
): readonly UpgradeFinding[] {
  const isCandidate = target.preRelease.startsWith('rc');
  const isAllowed =
    target.preRelease === '' ||
    question.allowExperimentalUpgrades === true ||
    (isCandidate && question.allowRCUpgrades === true);
  if (isAllowed) return [];
  const flag = isCandidate ? '--allow-release-candidate-upgrades' : '--allow-experimental-upgrades';
  const message = `${question.target} is not a stable release`;
  return [{ level: 'forceable', rule: 'unstable', message, hint: `allow it with ${flag}` }];
}

function kubeletFindings(
  { kubelets, target: targetText }: UpgradeProposal,
  { target }: Versions,
): readonly UpgradeFinding[] {
  if (kubelets === undefined) {
    const message = 'the versions of the kubelets are not known';
    const hint = `check that none is older than v${target.major}.${target.minor - kubeletSkew}`;
    return [{ level: 'forceable', rule: 'kubelets-unknown', message, hint }];
  }
  const tooOld = [...new Set(kubelets)].filter((text) => {
    const version = parseKubernetesVersion(text);
    return version === undefined || target.minor > version.minor + kubeletSkew;
  });
  if (tooOld.length === 0) return [];
  const message = `kubelets of ${tooOld.join(', ')} are too old for a control plane of ${targetText}`;
  const hint = `upgrade them to v${target.major}.${target.minor - kubeletSkew} or newer first`;
  return [{ level: 'forceable', rule: 'kubelets-too-old', message, hint }];
}

/**
 * Whether a cluster may be upgraded to a version: all findings at once. The rules are kubeadm's version
 * policy; but one slipway knows several minors, so that the target need not be of its own.
 */
export function decideUpgrade(question: UpgradeProposal): readonly UpgradeFinding[] {
  const target = parseKubernetesVersion(question.target);
  if (target === undefined) {
    const message = `${question.target} is not a version such as v1.37.2`;
    const hint = 'give major, minor and patch';
    return [{ level: 'refused', rule: 'target-malformed', message, hint }];
  }
  const cluster = parseKubernetesVersion(question.cluster ?? '');
  if (cluster === undefined) {
    const message = 'the version of the cluster is not known';
    const hint = 'give --kubeconfig, or run on a control plane';
    return [{ level: 'refused', rule: 'cluster-version-unknown', message, hint }];
  }
  const { supported } = question;
  const oldest = parseKubernetesVersion(supported.oldest) ?? target;
  const newest = parseKubernetesVersion(supported.newest) ?? target;
  const versions = { cluster, target, oldest, newest };
  return [
    ...skewFindings(question, versions),
    ...supportFindings(question, versions),
    ...stabilityFindings(question, versions),
    ...kubeletFindings(question, versions),
  ];
}
