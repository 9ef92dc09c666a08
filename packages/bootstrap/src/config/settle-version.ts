import { knownReleases } from '../upgrade/known-releases.ts';
import {
  compareKubernetesVersions,
  formatKubernetesVersion,
  type KubernetesVersion,
  parseKubernetesVersion,
} from '../version/kubernetes-version.ts';
import type { Finding } from './finding.ts';

const path = ['kubernetesVersion'];
const newest = knownReleases.at(-1) ?? '';
const oldestMinor = parseKubernetesVersion(knownReleases[0] ?? '')?.minor ?? 0;
const newestMinor = parseKubernetesVersion(newest)?.minor ?? 0;

/** Labels that kubeadm looks up in the network: `stable-1`, `latest`, `stable-1.37`, with or without `release/`. */
const label = /^(?:release\/)?(?:stable|latest)(?:-1(?:\.(\d+))?)?$/;

/**
 * The version that is meant. A label is never looked up: it means the newest release that slipway knows,
 * which is said. Nothing given means the same.
 */
export function settleVersion(given: string): {
  readonly kubernetesVersion: string;
  readonly findings: readonly Finding[];
} {
  if (given === '') return { kubernetesVersion: newest, findings: [] };
  const named = label.exec(given);
  if (named !== null) return labelled(given, named[1]);
  const version = parseKubernetesVersion(given);
  if (version === undefined) {
    const message = `${JSON.stringify(given)} is not a version of Kubernetes`;
    return refused(given, message, `write it as ${newest}`);
  }
  const kubernetesVersion = formatKubernetesVersion(version);
  if (version.major !== 1 || version.minor < oldestMinor) {
    const message = `${kubernetesVersion} is older than v1.${oldestMinor}.0, the oldest that is supported`;
    return refused(kubernetesVersion, message, `choose one of ${knownReleases.join(', ')}`);
  }
  return { kubernetesVersion, findings: newerFinding(version) };
}

function refused(kubernetesVersion: string, message: string, hint: string) {
  const code = 'bootstrap.config.version' as const;
  return {
    kubernetesVersion,
    findings: [{ code, severity: 'error' as const, path, message, hint }],
  };
}

function labelled(given: string, minor: string | undefined) {
  const found =
    minor === undefined
      ? newest
      : knownReleases.find((release) => release.startsWith(`v1.${minor}.`));
  if (found === undefined) {
    return refused(
      given,
      `no release of ${given} is known`,
      `choose one of ${knownReleases.join(', ')}`,
    );
  }
  const finding: Finding = {
    code: 'bootstrap.config.version-label',
    severity: 'warning',
    path,
    message: `${given} is taken as ${found}, the newest known; nothing is looked up in the network`,
    hint: `write kubernetesVersion: ${found}`,
  };
  return { kubernetesVersion: found, findings: [finding] };
}

function newerFinding(version: KubernetesVersion): readonly Finding[] {
  if (version.minor <= newestMinor) return [];
  const known = parseKubernetesVersion(newest);
  if (known !== undefined && compareKubernetesVersions(version, known) <= 0) return [];
  const message = `${formatKubernetesVersion(version)} is newer than v1.${newestMinor}, the newest minor that is known`;
  const hint = 'what changed in it is not known here; use a newer slipway';
  return [{ code: 'bootstrap.config.version', severity: 'warning', path, message, hint }];
}
