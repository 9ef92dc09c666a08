import type { InterfaceAddress } from '@slipway/host';
import { nodeAddress } from './check/node-address.ts';
import { type CheckCase, testChecks } from './testing/check-cases.ts';

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

const cases: readonly CheckCase[] = [
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
];

testChecks('the address of a node', cases);
