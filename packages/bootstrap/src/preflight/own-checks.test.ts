import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InterfaceAddress } from '@slipway/host';
import { cgroupDriver } from './check/cgroup-driver.ts';
import { hostnameCase } from './check/hostname-case.ts';
import { kubeletFlags } from './check/kubelet-flags.ts';
import { nodeAddress } from './check/node-address.ts';
import { sandboxImage } from './check/sandbox-image.ts';
import { serviceSubnet } from './check/service-subnet.ts';
import { swapConfiguration } from './check/swap-configuration.ts';
import type { Check } from './check.ts';
import { found, type HostDescription } from './testing/described-host.ts';

const address = (interfaceName: string, own: string): InterfaceAddress => ({
  interfaceName,
  address: own,
  family: 'ipv4',
  prefixLength: 24,
  internal: false,
});
const behindNat = [address('eth0', '10.0.2.15'), address('eth1', '192.168.56.11')];
const node = { nodeName: 'cp1', kubeletExtraArgs: [] };
const nodeIp = (value: string) => ({
  nodeName: 'cp1',
  kubeletExtraArgs: [{ name: 'node-ip', value }],
});
const knownNodes = async () => [
  { name: 'cp1', internalAddresses: ['10.20.0.11'] },
  { name: 'w1', internalAddresses: ['10.20.0.12', 'fd00::12'] },
];

const socket = 'unix:///run/containerd/containerd.sock';
const containerd = (text: string) => ({ files: { '/etc/containerd/config.toml': text } });
const runc =
  'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n';
const pauseImage = 'registry.k8s.io/pause:3.10.2';
const sandbox = (image: string) =>
  `version = 2\n[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = ${image}\n`;
const mirrored = 'mirror.example.com/k8s/pause:3.10.2';

const flags = { kubeletExtraArgs: [], version: 'v1.37.2' };
const leftBehind =
  'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=unix:///x --pod-infra-container-image=registry.k8s.io/pause:3.9"\n';
const flagFile = { '/var/lib/kubelet/kubeadm-flags.env': leftBehind };

const subnet = {
  serviceSubnet: '10.96.0.0/12',
  certificatesDir: '/etc/kubernetes/pki',
  kubelet: undefined,
};
const manifest = (range: string) => ({
  '/etc/kubernetes/manifests/kube-apiserver.yaml': `    - --service-cluster-ip-range=${range}\n    - --x=y\n`,
});
const swapping = { '/proc/swaps': 'Filename\tType\n/dev/sda2 partition\n' };
const version1 = { '/proc/mounts': 'cgroup /sys/fs/cgroup/memory cgroup rw 0 0\n' };
const version2 = { '/proc/mounts': 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n' };
const limited = { failSwapOn: false, memorySwap: { swapBehavior: 'LimitedSwap' } };

const cases: readonly {
  readonly name: string;
  readonly check: Check;
  readonly given?: HostDescription;
  readonly want: readonly RegExp[];
}[] = [
  { name: 'an address of its own', check: nodeAddress(node), want: [] },
  {
    name: 'NAT beside another interface',
    check: nodeAddress({ ...node, advertiseAddress: '10.0.2.15' }),
    given: { machine: { addresses: behindNat } },
    want: [/^error: 10\.0\.2\.15 .*NAT/],
  },
  {
    name: 'NAT by the default route of a worker',
    check: nodeAddress(node),
    given: { machine: { addresses: behindNat } },
    want: [/^error: 10\.0\.2\.15 .*NAT/],
  },
  {
    name: 'NAT of the API server, although the kubelet has another address',
    check: nodeAddress({ ...nodeIp('192.168.56.11'), advertiseAddress: '10.0.2.15' }),
    given: { machine: { addresses: behindNat } },
    want: [/^error: 10\.0\.2\.15/],
  },
  {
    name: 'NAT that is not used',
    check: nodeAddress({ ...nodeIp('192.168.56.11'), advertiseAddress: '192.168.56.11' }),
    given: { machine: { addresses: behindNat } },
    want: [],
  },
  {
    name: 'NAT and nothing else',
    check: nodeAddress(node),
    given: { machine: { addresses: behindNat.slice(0, 1) } },
    want: [/^warning: 10\.0\.2\.15/],
  },
  {
    name: 'NAT, but the flags of the package name another address',
    check: nodeAddress(node),
    given: {
      machine: { addresses: behindNat },
      files: { '/etc/default/kubelet': 'KUBELET_EXTRA_ARGS="--node-ip=192.168.56.11"\n' },
    },
    want: [],
  },
  {
    name: 'NAT, but the kubelet takes what its name resolves to',
    check: nodeAddress(node),
    given: { machine: { addresses: behindNat, names: { cp1: ['127.0.1.1', '192.168.56.11'] } } },
    want: [],
  },
  {
    name: 'NAT that the name of the node resolves to',
    check: nodeAddress(node),
    given: {
      machine: {
        addresses: behindNat,
        defaultRoutes: { ipv4: 'eth1' },
        names: { cp1: ['10.0.2.15'] },
      },
    },
    want: [/^error: 10\.0\.2\.15 .*NAT/],
  },
  {
    name: 'NAT that a name of another machine does not hide',
    check: nodeAddress(node),
    given: { machine: { addresses: behindNat, names: { cp1: ['192.0.2.1'] } } },
    want: [/^error: 10\.0\.2\.15 .*NAT/],
  },
  {
    name: 'NAT, and a node-ip that leaves the choice to the kubelet',
    check: nodeAddress(nodeIp('0.0.0.0')),
    given: { machine: { addresses: behindNat } },
    want: [/^error: 10\.0\.2\.15 .*NAT/],
  },
  {
    name: 'NAT, where a cloud gives the addresses',
    check: nodeAddress({
      ...node,
      kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }],
    }),
    given: { machine: { addresses: behindNat } },
    want: [],
  },
  {
    name: 'NAT beside a bridge of containers and another family, which are no way out',
    check: nodeAddress(node),
    given: {
      machine: {
        addresses: [
          address('eth0', '10.0.2.15'),
          address('docker0', '172.17.0.1'),
          { ...address('eth0', 'fd17:625c:f037:2::15'), family: 'ipv6' },
        ],
      },
    },
    want: [/^warning: 10\.0\.2\.15 .*no other/],
  },
  {
    name: 'the address of the API server to join, by its name',
    check: nodeAddress({ ...node, apiServerHost: 'api.example.com' }),
    given: { machine: { names: { 'api.example.com': ['10.20.0.11'] } } },
    want: [/^error: 10\.20\.0\.11 is the address of the API server/],
  },
  { name: 'its own Node', check: nodeAddress({ ...node, knownNodes }), want: [] },
  {
    name: 'the address of another Node',
    check: nodeAddress({ ...nodeIp('10.20.0.12'), knownNodes }),
    want: [/^error: 10\.20\.0\.12 is the address of node w1/],
  },
  {
    name: 'the second address of another Node',
    check: nodeAddress({ ...nodeIp('10.20.0.13,fd00::12'), knownNodes }),
    want: [/^error: fd00::12 is the address of node w1/],
  },
  {
    name: 'Nodes that may not be listed',
    check: nodeAddress({ ...node, knownNodes: async () => undefined }),
    want: [],
  },
  {
    name: 'the address of the API server to join',
    check: nodeAddress({ ...node, apiServerHost: '10.20.0.11' }),
    want: [/^error: 10\.20\.0\.11 is the address of the API server/],
  },

  { name: 'no file of the runtime', check: cgroupDriver(socket, undefined), want: [] },
  {
    name: 'containerd without SystemdCgroup',
    check: cgroupDriver(socket, undefined),
    given: containerd(runc),
    want: [/^error: .*kubelet uses cgroup driver systemd and containerd cgroupfs/],
  },
  {
    name: 'containerd with SystemdCgroup in a comment',
    check: cgroupDriver(socket, undefined),
    given: containerd(`${runc}  # SystemdCgroup = true\n`),
    want: [/^error: /],
  },
  {
    name: 'both systemd',
    check: cgroupDriver(socket, undefined),
    given: containerd(`${runc}  SystemdCgroup = true\n`),
    want: [],
  },
  {
    name: 'a kubelet with cgroupfs',
    check: cgroupDriver(socket, { cgroupDriver: 'cgroupfs' }),
    given: containerd(`${runc}  SystemdCgroup = true\n`),
    want: [/^error: .*kubelet uses cgroup driver cgroupfs and containerd systemd/],
  },
  {
    name: 'containerd 2, which the kubelet follows',
    check: cgroupDriver(socket, undefined),
    given: containerd('version = 3\n'),
    want: [/^warning: .*will follow/],
  },
  {
    name: 'CRI-O with cgroupfs in a drop-in',
    check: cgroupDriver('unix:///var/run/crio/crio.sock', undefined),
    given: {
      files: { '/etc/crio/crio.conf.d/10.conf': '[crio.runtime]\ncgroup_manager = "cgroupfs"\n' },
    },
    want: [/^warning: .*CRI-O cgroupfs/],
  },

  {
    name: 'the image of the cluster',
    check: sandboxImage({ socket, pauseImage }),
    given: containerd(sandbox(`"${pauseImage}"`)),
    want: [],
  },
  {
    name: 'another tag',
    check: sandboxImage({ socket, pauseImage }),
    given: containerd(sandbox('"registry.k8s.io/pause:3.8"')),
    want: [/^warning: .*pause:3\.8; the cluster has registry\.k8s\.io\/pause:3\.10\.2/],
  },
  {
    name: 'a mirror that the runtime does not know',
    check: sandboxImage({ socket, pauseImage: mirrored }),
    given: containerd(sandbox(`'${pauseImage}'`)),
    want: [/^error: .*from another registry/],
  },
  {
    name: 'a mirror that the runtime has for the registry',
    check: sandboxImage({ socket, pauseImage: mirrored }),
    given: {
      files: {
        '/etc/containerd/config.toml': sandbox(`"${pauseImage}"`),
        '/etc/containerd/certs.d/registry.k8s.io/hosts.toml': '',
      },
    },
    want: [/^warning: /],
  },
  { name: 'no file of the runtime', check: sandboxImage({ socket, pauseImage }), want: [] },

  { name: 'no flags', check: kubeletFlags(flags), want: [] },
  {
    name: 'a flag of kubeadm 1.34 and kubelet 1.37',
    check: kubeletFlags(flags),
    given: { files: flagFile },
    want: [/^error: --pod-infra-container-image in \S+kubeadm-flags\.env .*since v1\.35; v1\.37/],
  },
  {
    name: 'the same with kubelet 1.34',
    check: kubeletFlags(flags),
    given: { files: flagFile, kubelet: 'v1.34.4' },
    want: [],
  },
  {
    name: 'the same before the upgrade to 1.35',
    check: kubeletFlags({ ...flags, isUpgrade: true }),
    given: { files: flagFile, kubelet: 'v1.34.4' },
    want: [/^error: .*v1\.35 will not start/],
  },
  {
    name: 'flags of the configuration and of the package',
    check: kubeletFlags({
      ...flags,
      kubeletExtraArgs: [{ name: 'container-runtime', value: 'remote' }],
    }),
    given: {
      files: {
        '/etc/default/kubelet':
          '# --docker-endpoint\nKUBELET_EXTRA_ARGS=--network-plugin=cni --v 2\n',
      },
    },
    want: [/^error: --container-runtime in nodeReg/, /^error: --network-plugin in \/etc\/default/],
  },

  { name: 'nothing to disagree with', check: serviceSubnet(subnet), want: [] },
  {
    name: 'the same as the API server',
    check: serviceSubnet(subnet),
    given: { files: manifest('10.96.0.0/12') },
    want: [],
  },
  {
    name: 'changed since the API server was written',
    check: serviceSubnet({ ...subnet, serviceSubnet: '10.112.0.0/12' }),
    given: { files: manifest('10.96.0.0/12') },
    want: [/^error: .*is 10\.112\.0\.0\/12, and the API server .* has 10\.96\.0\.0\/12/],
  },
  {
    name: 'cluster DNS of the subnet, and of the link',
    check: serviceSubnet({ ...subnet, kubelet: { clusterDNS: ['10.96.0.10', '169.254.20.10'] } }),
    want: [],
  },
  {
    name: 'cluster DNS at another address of the subnet',
    check: serviceSubnet({ ...subnet, kubelet: { clusterDNS: ['10.96.0.53'] } }),
    want: [/^warning: clusterDNS 10\.96\.0\.53 is not 10\.96\.0\.10/],
  },
  {
    name: 'cluster DNS of another subnet',
    check: serviceSubnet({ ...subnet, kubelet: { clusterDNS: ['172.20.0.10'] } }),
    want: [/^error: clusterDNS 172\.20\.0\.10 is not in service subnet 10\.96\.0\.0\/12/],
  },

  {
    name: 'flags of a drop-in, and of a file that it names',
    check: kubeletFlags(flags),
    given: {
      files: {
        '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf':
          '[Service]\nEnvironmentFile=-/etc/kubelet.env\nEnvironment="A=--docker-endpoint=x"\n',
        '/etc/systemd/system/kubelet.service.d/20-own.conf':
          '[Service]\n# --log-dir\nEnvironment="KUBELET_EXTRA_ARGS=--network-plugin=cni"\n',
        '/etc/kubelet.env': 'X=--allow-privileged\n',
      },
    },
    want: [
      /^error: --docker-endpoint in \/usr\/lib\/systemd\/system\/kubelet\.service\.d\/10-kubeadm\.conf/,
      /^error: --network-plugin in \/etc\/systemd\/system\/kubelet\.service\.d\/20-own\.conf/,
      /^error: --allow-privileged in \/etc\/kubelet\.env/,
    ],
  },
  {
    name: 'a drop-in of the package that one of the same name replaces, one that is masked',
    check: kubeletFlags(flags),
    given: {
      files: {
        '/usr/lib/systemd/system/kubelet.service.d/10.conf': 'Environment=A=--network-plugin=cni\n',
        '/etc/systemd/system/kubelet.service.d/10.conf': 'Environment=A=\n',
        '/usr/lib/systemd/system/kubelet.service.d/20.conf': 'Environment=A=--log-dir=/x\n',
      },
      links: { '/etc/systemd/system/kubelet.service.d/20.conf': '/dev/null' },
    },
    want: [],
  },

  {
    name: 'no swap',
    check: swapConfiguration({ kubelet: undefined, kubeletExtraArgs: [] }),
    want: [],
  },
  {
    name: 'swap and a kubelet that refuses it',
    check: swapConfiguration({ kubelet: {}, kubeletExtraArgs: [] }),
    given: { machine: { kernelFiles: swapping } },
    want: [/^error: swap is on .*will not start/],
  },
  {
    name: 'swap and a kubelet that takes it',
    check: swapConfiguration({ kubelet: { failSwapOn: false }, kubeletExtraArgs: [] }),
    given: { machine: { kernelFiles: swapping } },
    want: [],
  },
  {
    name: 'swap and a flag that takes it',
    check: swapConfiguration({
      kubelet: undefined,
      kubeletExtraArgs: [{ name: 'fail-swap-on', value: 'false' }],
    }),
    given: { machine: { kernelFiles: swapping } },
    want: [],
  },
  {
    name: 'swap and a flag of the package that takes it',
    check: swapConfiguration({ kubelet: { failSwapOn: true }, kubeletExtraArgs: [] }),
    given: {
      files: { '/etc/default/kubelet': 'KUBELET_EXTRA_ARGS=--v=2 --fail-swap-on=false\n' },
      machine: { kernelFiles: swapping },
    },
    want: [],
  },
  {
    name: 'swap and a flag that refuses what the file takes',
    check: swapConfiguration({
      kubelet: { failSwapOn: false },
      kubeletExtraArgs: [{ name: 'fail-swap-on', value: 'true' }],
    }),
    given: { machine: { kernelFiles: swapping } },
    want: [/^error: swap is on .*will not start/],
  },
  {
    name: 'limited swap with cgroup v1',
    check: swapConfiguration({ kubelet: limited, kubeletExtraArgs: [] }),
    given: { machine: { kernelFiles: { ...swapping, ...version1 } } },
    want: [/^error: .*needs cgroup v2/],
  },
  {
    name: 'limited swap with cgroup v2',
    check: swapConfiguration({ kubelet: limited, kubeletExtraArgs: [] }),
    given: { machine: { kernelFiles: { ...swapping, ...version2 } } },
    want: [],
  },

  { name: 'lower case', check: hostnameCase('cp1'), want: [] },
  {
    name: 'upper case',
    check: hostnameCase('nuc-1'),
    given: { machine: { hostname: 'NUC-1' } },
    want: [/^warning: .*NUC-1; its Node will be nuc-1/],
  },
];

describe('a check of our own', () => {
  for (const { name, check, given = {}, want } of cases) {
    test(`${check.name}: ${name}`, async () => {
      const findings = await found(check, given);
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }
});
