export type CgroupMount = { readonly version: 1 | 2; readonly path: string };

const usualPath = '/sys/fs/cgroup';

/**
 * The version of control groups that a machine uses, by its /proc/mounts; undefined when there are none.
 * Below a tmpfs each controller of version 1 has its own mount. Rule: k8s.io/system-validators v1.12.1.
 */
export function cgroupMountOf(
  mounts: string,
  hasMemoryOfVersion1: boolean,
): CgroupMount | undefined {
  let first: CgroupMount | undefined;
  for (const line of mounts.split('\n')) {
    const [, path = '', type = ''] = line.split(/\s+/);
    if (path === usualPath) {
      const isVersion2 = type === 'tmpfs' ? !hasMemoryOfVersion1 : type === 'cgroup2';
      return { version: isVersion2 ? 2 : 1, path };
    }
    if (type === 'cgroup2') return { version: 2, path };
    if (type === 'cgroup') first ??= { version: 1, path };
  }
  return first;
}

/** Enabled controllers of version 1, from /proc/cgroups: name, hierarchy, number, enabled. */
export function controllersOfVersion1(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , , enabled] = line.split(/\s+/);
    return line.startsWith('#') || enabled === undefined || enabled === '0' ? [] : [name];
  });
}

/**
 * Controllers of version 2: those of the file cgroup.controllers, and two that the kernel has without
 * telling: devices since 4.15, freezer since 5.2.
 */
export function controllersOfVersion2(text: string, kernelRelease: string): readonly string[] {
  const [major = 0, minor = 0] = kernelRelease.split(/[.-]/).map(Number);
  const hasFreezer = major > 5 || (major === 5 && minor >= 2);
  return ['devices', ...(hasFreezer ? ['freezer'] : []), ...text.split(/\s+/).filter(Boolean)];
}

const controllers = {
  1: {
    needed: ['cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids'],
    useful: ['hugetlb', 'blkio'],
  },
  2: {
    needed: ['cpu', 'cpuset', 'devices', 'freezer', 'memory', 'pids'],
    useful: ['hugetlb', 'io'],
  },
} as const;

/** Controllers that are not there: those that a node needs, and those that it makes use of. */
export function missingControllers(
  version: 1 | 2,
  present: readonly string[],
): { readonly needed: readonly string[]; readonly useful: readonly string[] } {
  const isMissing = (name: string) => !present.includes(name);
  const { needed, useful } = controllers[version];
  return { needed: needed.filter(isMissing), useful: useful.filter(isMissing) };
}
