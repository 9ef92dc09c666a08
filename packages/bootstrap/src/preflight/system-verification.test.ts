import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemVerification } from './check/system-verification.ts';
import { cgroupMountOf } from './system/cgroups.ts';
import { found, type HostDescription } from './testing/described-host.ts';

const settings = [
  'NAMESPACES NET_NS PID_NS IPC_NS UTS_NS CPUSETS MEMCG INET EXT4_FS PROC_FS',
  'IP_NF_TARGET_REDIRECT NETFILTER_XT_MATCH_COMMENT FAIR_GROUP_SCHED CGROUPS CGROUP_CPUACCT',
  'CGROUP_DEVICE CGROUP_FREEZER CGROUP_PIDS CGROUP_SCHED CGROUP_BPF',
]
  .join(' ')
  .split(' ');
const built = (names: readonly string[]) =>
  names.map((name, index) => `CONFIG_${name}=${index % 2 === 0 ? 'y' : 'm'}\n`).join('');
const version2 = {
  '/proc/config.gz': gzipSync(built(settings)),
  '/proc/mounts': 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n',
  '/sys/fs/cgroup/cgroup.controllers': 'cpuset cpu io memory hugetlb pids rdma\n',
};
const version1 = {
  '/proc/config.gz': gzipSync(built(settings)),
  '/proc/mounts': 'tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n',
  '/sys/fs/cgroup/memory/cgroup.procs': '1\n',
  '/proc/cgroups': [
    '#subsys_name\thierarchy\tnum_cgroups\tenabled',
    ...'cpu cpuacct cpuset devices freezer memory pids hugetlb blkio'
      .split(' ')
      .map((name) => `${name}\t1\t1\t1`),
  ].join('\n'),
};
const kubelet = 'v1.37.2';
const without = (name: string) => gzipSync(built(settings.filter((one) => one !== name)));
const check = systemVerification({ isUpgrade: false });

const cases: readonly {
  readonly name: string;
  readonly check?: typeof check;
  readonly given: HostDescription;
  readonly want: readonly RegExp[];
}[] = [
  {
    name: 'cgroup v2 and a kernel with everything',
    given: { kubelet, machine: { kernelFiles: version2 } },
    want: [],
  },
  {
    name: 'cgroup v1 and kubelet 1.34',
    given: { kubelet: 'v1.34.4', machine: { kernelFiles: version1 } },
    want: [/^warning: .*cgroup v1/],
  },
  {
    name: 'cgroup v1 and kubelet 1.35',
    given: { kubelet: 'v1.35.0-rc.1', machine: { kernelFiles: version1 } },
    want: [/^error: .*cgroup v1/],
  },
  {
    name: 'cgroup v1 before the upgrade to 1.35',
    check: systemVerification({ isUpgrade: true }),
    given: { kubelet: 'v1.34.4', machine: { kernelFiles: version1 } },
    want: [/^error: .*cgroup v1/],
  },
  {
    name: 'cgroup v1 below a folder',
    given: { machine: { kernelFiles: version1 } },
    want: [/^warning: .*cgroup v1/],
  },
  {
    name: 'no kubelet',
    given: { kubelet: null, machine: { kernelFiles: version2 } },
    want: [/^error: the version of the kubelet is not known/],
  },
  {
    name: 'no kubelet, with cgroup v1',
    given: { kubelet: null, machine: { kernelFiles: version1 } },
    want: [/^error: the version of the kubelet is not known/],
  },
  {
    name: 'an untested kernel',
    given: { kubelet, machine: { kernelFiles: version2, kernelRelease: '5.11.0-1-generic' } },
    want: [/^warning: kernel 5\.11\.0-1-generic/],
  },
  {
    name: 'a kernel from before the freezer of version 2',
    given: { kubelet, machine: { kernelFiles: version2, kernelRelease: '5.1.0' } },
    want: [/^warning: kernel 5\.1\.0/, /^error: .*missing: freezer/],
  },
  {
    name: 'a kernel without BPF in control groups',
    given: {
      kubelet,
      machine: { kernelFiles: { ...version2, '/proc/config.gz': without('CGROUP_BPF') } },
    },
    want: [/^error: .*without CONFIG_CGROUP_BPF$/],
  },
  {
    name: 'which version 1 does not need',
    given: {
      kubelet: 'v1.34.4',
      machine: { kernelFiles: { ...version1, '/proc/config.gz': without('CGROUP_BPF') } },
    },
    want: [/^warning: .*cgroup v1/],
  },
  {
    name: 'no configuration of the kernel',
    given: {
      kubelet,
      machine: {
        kernelFiles: {
          '/proc/mounts': version2['/proc/mounts'],
          '/sys/fs/cgroup/cgroup.controllers': version2['/sys/fs/cgroup/cgroup.controllers'],
        },
      },
    },
    want: [/^error: how the kernel was built cannot be told/],
  },
  {
    name: 'its configuration in /boot',
    given: {
      kubelet,
      files: { '/boot/config-6.12.0': built(settings) },
      machine: {
        kernelFiles: {
          '/proc/mounts': version2['/proc/mounts'],
          '/sys/fs/cgroup/cgroup.controllers': version2['/sys/fs/cgroup/cgroup.controllers'],
        },
      },
    },
    want: [],
  },
  {
    name: 'controllers that are switched off',
    given: {
      kubelet,
      machine: {
        kernelFiles: { ...version2, '/sys/fs/cgroup/cgroup.controllers': 'cpuset cpu pids' },
      },
    },
    want: [/^error: .*missing: memory/, /^warning: optional .*missing: hugetlb, io/],
  },
];

describe('SystemVerification', () => {
  for (const { name, check: own = check, given, want } of cases) {
    test(name, async () => {
      const findings = await found(own, given);
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }

  for (const { name, given, want } of [
    { name: 'version 2', given: 'cgroup2 /sys/fs/cgroup cgroup2 rw', want: 2 },
    {
      name: 'version 1 beside an unused version 2',
      given: 'tmpfs /sys/fs/cgroup tmpfs rw\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw',
      want: 1,
    },
    { name: 'version 1 elsewhere', given: 'cgroup /cg cgroup rw', want: 1 },
    { name: 'version 2 elsewhere', given: 'cgroup /cg cgroup rw\nx /cg2 cgroup2 rw', want: 2 },
    { name: 'none', given: 'proc /proc proc rw', want: undefined },
  ]) {
    test(`mounts: ${name}`, () => assert.equal(cgroupMountOf(given, true)?.version, want));
  }
});
