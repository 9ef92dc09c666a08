import { allConfigurations, type Configuration } from './configurations.ts';

/** The recording that the others of its version leave equal pieces to. */
export const baseConfiguration = 'ecdsa-p256';

/**
 * What the minors before the newest two are recorded with: enough to tell whatever a minor of kubeadm
 * does in another way. What only the reading of a configuration decides is the same in all of them.
 */
const telling: readonly string[] = [
  baseConfiguration,
  'dual-stack',
  'external-etcd',
  'extra-arguments',
  'extra-volumes',
  'feature-gate-ecdsa-keys',
  'feature-gate-kubelet-local',
  'feature-gate-node-local-socket',
  'general',
  'image-repository',
  'ipv4-default',
  'ipv6',
  'join-v1beta3',
  'join-worker',
  'kube-proxy-configuration',
  'kubelet-configuration',
  'several-tokens',
  'upgrade',
  'upload-certs',
  'v1beta3',
];

const configurationsOfVersion: ReadonlyMap<string, 'all' | readonly string[]> = new Map<
  string,
  'all' | readonly string[]
>([
  ['v1.34.4', telling],
  ['v1.35.4', telling],
  ['v1.36.3', 'all'],
  ['v1.37.2', 'all'],
]);

/** The versions whose kubeadm is recorded: one of each minor, oldest first. */
export const recordedVersions: readonly string[] = [...configurationsOfVersion.keys()];

/** The configurations that kubeadm of `version` is recorded with, by name. */
export function configurationsOf(version: string): readonly Configuration[] {
  const chosen = configurationsOfVersion.get(version) ?? [];
  return allConfigurations().filter(({ name }) => chosen === 'all' || chosen.includes(name));
}
