import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bareGround } from '../testing/bare-ground.ts';
import { validateFile } from './settle-file.ts';

const header = (kind: string) => `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n`;
const cluster = (body: string) =>
  `${header('ClusterConfiguration')}kubernetesVersion: v1.37.2\n${body}\n`;
const init = (body: string) => `${header('InitConfiguration')}${body}\n---\n${cluster('')}`;
const kubelet = (body: string) =>
  `${cluster('')}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${body}\n`;

/** `codes`: of what is said although the file is accepted, as the real kubeadm v1.37.2 accepts it. */
const table: readonly { name: string; given: string; codes?: readonly string[] }[] = [
  { name: 'JSON', given: '{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"ResetConfiguration"}' },
  { name: 'lines that end as in DOS', given: cluster('clusterName: a').replaceAll('\n', '\r\n') },
  { name: 'an empty last document', given: `${cluster('')}---\n` },
  { name: 'two commands in one file', given: `${init('')}---\n${header('ResetConfiguration')}` },
  {
    name: 'an alias',
    given: cluster('scheduler: &s\n  extraArgs: []\ncontrollerManager: *s'),
  },
  {
    name: 'a merge key',
    given: cluster('scheduler: &s\n  extraArgs: []\ncontrollerManager:\n  <<: *s'),
  },
  {
    name: 'booleans of YAML 1.1',
    given: init('dryRun: y\nnodeRegistration:\n  imagePullSerial: No'),
  },
  { name: 'nulls', given: cluster('networking: null\netcd: ~\ndns:') },
  { name: 'a name in capitals', given: init('nodeRegistration:\n  name: Node-1') },
  { name: 'an endpoint of IPv6', given: cluster("controlPlaneEndpoint: '[fd00::1]:6443'") },
  {
    name: 'arguments that repeat',
    given: cluster(
      "apiServer:\n  extraArgs:\n  - {name: v, value: '1'}\n  - {name: v, value: '2'}",
    ),
  },
  {
    name: 'the DNS of another subnet',
    given: kubelet('clusterDNS: [10.97.0.10]'),
    codes: ['cluster-dns'],
  },
  { name: 'the DNS of the node itself', given: kubelet('clusterDNS: [169.254.20.10]') },
  {
    name: 'a socket without its scheme',
    given: init('nodeRegistration:\n  criSocket: /run/containerd/containerd.sock'),
    codes: ['cri-socket'],
  },
  {
    name: 'v1beta3',
    given: 'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n',
    codes: ['old-version'],
  },
  {
    name: 'MasterConfiguration',
    given:
      'apiVersion: kubeadm.k8s.io/v1alpha1\nkind: MasterConfiguration\napiServerExtraArgs:\n  v: "4"\n',
    codes: ['old-version'],
  },
];

suite('configurations that are accepted', () => {
  const ground = bareGround();
  for (const { name, given, codes = [] } of table) {
    test(name, async () => {
      const issues = await validateFile({ text: given, ground, load: { strict: true } });
      assert.deepEqual(
        issues.map(({ code, severity }) => `${severity} ${code}`),
        codes.map((code) => `warning bootstrap.config.${code}`),
      );
    });
  }
});
