import { nearestName } from '../workflow/nearest-name.ts';

/** Names that `--ignore-preflight-errors` takes: kubeadm's of v1.34 to v1.37, those of upgrades included, and our own. */
const knownNames: readonly string[] = [
  'all',
  'CRI',
  'CgroupDriver',
  'ClockSkew',
  'ContainerRuntimeVersion',
  'ControlPlaneNodesReady',
  'CoreDNSMigration',
  'CoreDNSUnsupportedPlugins',
  'CreateJob',
  'ExternalEtcdClientCertificates',
  'ExternalEtcdVersion',
  'Firewalld',
  'HTTPProxy',
  'HTTPProxyCIDR',
  'Hostname',
  'HostnameCase',
  'IgnoredCheckNames',
  'ImagePull',
  'IsPrivilegedUser',
  'KubeletFlags',
  'KubeletVersion',
  'KubernetesVersion',
  'Mem',
  'NodeAddress',
  'NumCPU',
  'SandboxImage',
  'Service-kubelet',
  'ServiceSubnet',
  'StaticPodManifest',
  'Swap',
  'SwapConfiguration',
  'SystemVerification',
];

const lowerNames = knownNames.map((name) => name.toLowerCase());

/** Names that end with a path, a port or a program. */
const knownBeginnings: readonly string[] = [
  'DirAvailable-',
  'FileAvailable-',
  'FileContent-',
  'FileExisting-',
  'Port-',
];

export type UnknownCheckName = { readonly name: string; readonly nearest?: string };

/** Names, in any case of letters, that no check of any command has: each ignores nothing. */
export function unknownCheckNames(names: readonly string[]): readonly UnknownCheckName[] {
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    const isKnown =
      lowerNames.includes(lower) ||
      knownBeginnings.some((beginning) => lower.startsWith(beginning.toLowerCase()));
    if (isKnown) return [];
    const lowerNearest = nearestName(lower, lowerNames);
    const nearest = knownNames.find((known) => known.toLowerCase() === lowerNearest);
    return [nearest === undefined ? { name } : { name, nearest }];
  });
}
