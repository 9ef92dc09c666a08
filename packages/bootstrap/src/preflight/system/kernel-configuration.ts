/** How a kernel was built: `NAMESPACES` → `y`, `m` or `n`. */
export type KernelConfiguration = ReadonlyMap<string, string>;

/** Reads the text of a kernel's configuration: lines `CONFIG_NAMESPACES=y`. */
export function parseKernelConfiguration(text: string): KernelConfiguration {
  const lines = text.matchAll(/^\s*CONFIG_([A-Z0-9_]+)=([myn])/gm);
  return new Map(Array.from(lines, ([, name = '', value = '']) => [name, value] as const));
}

/**
 * What a node needs of its kernel; the names after the first are other spellings. Source:
 * k8s.io/system-validators v1.12.1, DefaultSysSpec.
 */
const always: readonly (readonly string[])[] = [
  ['NAMESPACES'],
  ['NET_NS'],
  ['PID_NS'],
  ['IPC_NS'],
  ['UTS_NS'],
  ['CPUSETS'],
  ['MEMCG'],
  ['INET'],
  ['EXT4_FS'],
  ['PROC_FS'],
  ['NETFILTER_XT_TARGET_REDIRECT', 'IP_NF_TARGET_REDIRECT'],
  ['NETFILTER_XT_MATCH_COMMENT'],
  ['FAIR_GROUP_SCHED'],
];

const byCgroupVersion = {
  1: [
    'CGROUPS',
    'CGROUP_CPUACCT',
    'CGROUP_DEVICE',
    'CGROUP_FREEZER',
    'CGROUP_PIDS',
    'CGROUP_SCHED',
  ],
  2: ['CGROUPS', 'CGROUP_BPF', 'CGROUP_PIDS', 'CGROUP_SCHED'],
} as const;

/** Needed settings that the kernel was built without, as `CONFIG_…`. */
export function missingKernelSettings(
  configuration: KernelConfiguration,
  cgroupVersion: 1 | 2,
): readonly string[] {
  const needed = [...always, ...byCgroupVersion[cgroupVersion].map((name) => [name])];
  return needed
    .filter((names) => {
      const value = names.map((name) => configuration.get(name)).find((one) => one !== undefined);
      return value !== 'y' && value !== 'm';
    })
    .map(([name = '']) => `CONFIG_${name}`);
}

/** Releases that kubeadm knows to do: long-term ones of 5.x, and all from 6 on. Same source. */
export function isKnownKernel(release: string): boolean {
  return /^5\.(?:4|10|15)|^(?:[6-9]|[1-9]\d+)\.\d+\.\d+/.test(release);
}
