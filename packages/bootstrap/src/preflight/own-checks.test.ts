import { cgroupDriver } from './check/cgroup-driver.ts';
import { hostnameCase } from './check/hostname-case.ts';
import { kubeletFlags } from './check/kubelet-flags.ts';
import { sandboxImage } from './check/sandbox-image.ts';
import { serviceSubnet } from './check/service-subnet.ts';
import { swapConfiguration } from './check/swap-configuration.ts';
import { type CheckCase, testChecks } from './testing/check-cases.ts';

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

const cases: readonly CheckCase[] = [
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

testChecks('a check of our own', cases);
