import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { InitSettings, JoinConfiguration } from '../config/configuration.ts';
import { defaultTimeouts } from '../config/defaults.ts';
import { describedSettings } from '../testing/described-settings.ts';
import { initChecks, joinChecks, joinedChecks, resetChecks, upgradeChecks } from './check-lists.ts';
import { runPreflight } from './run-preflight.ts';
import { describedGround, type HostDescription } from './testing/described-host.ts';

/** Names that kubeadm does not have. */
const ownNames = [
  'CgroupDriver',
  'ClockSkew',
  'HostnameCase',
  'IgnoredCheckNames',
  'KubeletFlags',
  'NodeAddress',
  'SandboxImage',
  'ServiceSubnet',
  'SwapConfiguration',
];

type Recording = {
  readonly name: string;
  readonly command: 'init' | 'join' | 'join-control-plane';
  /** `level name`, in kubeadm's order, a finding of the same check and level once. */
  readonly findings: readonly string[];
  readonly serviceSubnet?: string;
  readonly podSubnet?: string;
  /** What the machine of the recording had. */
  readonly files?: readonly string[];
  readonly ports?: readonly number[];
};

const { recordings } = JSON.parse(
  readFileSync(new URL('testdata/kubeadm.json', import.meta.url), 'utf8'),
) as { readonly recordings: readonly Recording[] };

/** Cgroup v1, no runtime, no route outside, a kubelet that is not enabled, another node's address. */
function recordedHost({ files = [], ports = [] }: Recording): HostDescription {
  const kernel = [
    'NAMESPACES NET_NS PID_NS IPC_NS UTS_NS CPUSETS MEMCG INET EXT4_FS PROC_FS',
    'NETFILTER_XT_TARGET_REDIRECT NETFILTER_XT_MATCH_COMMENT FAIR_GROUP_SCHED CGROUPS',
    'CGROUP_CPUACCT CGROUP_DEVICE CGROUP_FREEZER CGROUP_PIDS CGROUP_SCHED',
  ]
    .join(' ')
    .split(' ');
  const controllers = 'cpu cpuacct cpuset devices freezer memory pids hugetlb blkio'.split(' ');
  return {
    kubelet: 'v1.37.2',
    files: Object.fromEntries(files.map((path) => [path, ''])),
    machine: {
      addresses: [],
      portsInUse: ports,
      programs: { losetup: '/sbin/losetup', mount: '/bin/mount', cp: '/bin/cp' },
      kernelFiles: {
        '/proc/config.gz': gzipSync(kernel.map((name) => `CONFIG_${name}=y\n`).join('')),
        '/proc/mounts': 'tmpfs /sys/fs/cgroup tmpfs rw 0 0\n',
        '/sys/fs/cgroup/memory/cgroup.procs': '1\n',
        '/proc/cgroups': controllers.map((name) => `${name}\t1\t1\t1\n`).join(''),
        '/proc/swaps': 'Filename\n',
        '/proc/sys/net/ipv4/ip_forward': '0\n',
        '/proc/sys/net/ipv6/conf/default/forwarding': '0\n',
      },
    },
  };
}

const nodeRegistration = {
  name: 'cp1',
  criSocket: 'unix:///var/run/containerd/containerd.sock',
  taints: [],
  kubeletExtraArgs: [],
  ignorePreflightErrors: [],
  imagePullPolicy: 'IfNotPresent',
  imagePullSerial: true,
} as const;

function settingsOf({ serviceSubnet, podSubnet }: Recording): InitSettings {
  const { init, cluster } = describedSettings();
  const { networking } = cluster;
  return {
    init: {
      ...init,
      bootstrapTokens: [],
      dryRun: false,
      nodeRegistration,
      skipPhases: [],
      timeouts: defaultTimeouts,
    },
    cluster: {
      ...cluster,
      networking: {
        ...networking,
        serviceSubnet: serviceSubnet ?? networking.serviceSubnet,
        podSubnet: podSubnet ?? networking.podSubnet,
      },
    },
    components: {},
  };
}

function joinOf({ command }: Recording): JoinConfiguration {
  const localAPIEndpoint = { advertiseAddress: '10.20.0.12', bindPort: 6443 };
  return {
    dryRun: false,
    nodeRegistration,
    caCertPath: '/etc/kubernetes/pki/ca.crt',
    discovery: {
      bootstrapToken: {
        token: '',
        apiServerEndpoint: '10.20.0.11:6443',
        caCertHashes: [],
        unsafeSkipCAVerification: true,
      },
      tlsBootstrapToken: '',
    },
    ...(command === 'join-control-plane' ? { controlPlane: { localAPIEndpoint } } : {}),
    skipPhases: [],
    timeouts: defaultTimeouts,
  };
}

function checksOf(recording: Recording) {
  const settings = settingsOf(recording);
  if (recording.command === 'init') return initChecks(settings);
  const join = joinOf(recording);
  const apiServerEndpoint = '10.20.0.11:6443';
  return [...joinChecks(join), ...joinedChecks({ join, settings, apiServerEndpoint })];
}

describe('findings on a recorded machine are those of kubeadm v1.37.2', () => {
  for (const recording of recordings) {
    test(recording.name, async () => {
      using ground = describedGround(recordedHost(recording));
      // The clock of a server is ours to ask, and there is none.
      const checks = checksOf(recording).filter(({ name }) => !ownNames.includes(name));
      const findings = await runPreflight(checks, { ground, ignore: [] });
      const got = [...new Set(findings.map(({ level, name }) => `${level} ${name}`))];
      const order = (level: string) => got.filter((line) => line.startsWith(level));
      const wanted = (level: string) => recording.findings.filter((line) => line.startsWith(level));
      assert.equal(got.length, recording.findings.length, got.join('\n'));
      assert.deepEqual(order('warning'), wanted('warning'));
      assert.deepEqual(order('error'), wanted('error'));
    });
  }
});

test('names of checks are one by one known to kubeadm or declared as our own', () => {
  const recording: Recording = { name: '', command: 'join-control-plane', findings: [] };
  const all = [
    ...initChecks(settingsOf(recording)),
    ...checksOf(recording),
    ...upgradeChecks({ criSocket: '', kubernetesVersion: 'v1.37.2' }),
    ...resetChecks,
  ];
  const known =
    /^(?:IsPrivilegedUser|NumCPU|Mem|KubernetesVersion|Firewalld|Port-\d+|(?:FileAvailable|DirAvailable|FileContent)--[A-Za-z0-9._-]+|FileExisting-[a-z]+|HTTPProxy|HTTPProxyCIDR|CRI|ContainerRuntimeVersion|Swap|SystemVerification|Hostname|KubeletVersion|Service-kubelet|ExternalEtcdVersion|ExternalEtcdClientCertificates|ImagePull)$/;
  for (const { name } of all) assert.ok(known.test(name) || ownNames.includes(name), name);
});
