import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterInfoKubeconfig,
  kubeletKubeconfig,
  readClusterEntry,
} from './cluster-kubeconfig.ts';

const cluster = { server: 'https://127.0.0.1:6443', certificateAuthorityPem: 'PEM\n' };
const code = 'bootstrap.discovery.malformed';
const authority = Buffer.from(cluster.certificateAuthorityPem).toString('base64');
const entry = `- cluster:\n    certificate-authority-data: ${authority}\n    server: ${cluster.server}\n  name: ""\n`;

const kubeadm = `apiVersion: v1\nclusters:\n${entry}kind: Config\ncontexts: null\nusers: null\n`;

const read = [
  { name: 'what kubeadm writes', given: kubeadm },
  { name: 'what cluster-info holds', given: clusterInfoKubeconfig(cluster) },
  { name: 'quoted', given: kubeadm.replace(cluster.server, `"${cluster.server}"`) },
  {
    name: 'JSON',
    given: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: '', cluster: { server: cluster.server, 'certificate-authority-data': authority } },
      ],
    }),
  },
  { name: 'our kubelet.conf', given: kubeletKubeconfig(cluster, 'worker-1', '/x.pem') },
];
for (const { name, given } of read) {
  test(`read: ${name}`, () => assert.deepEqual(readClusterEntry(given, code), cluster));
}

const refused = [
  { name: 'two clusters', given: kubeadm.replace(entry, entry + entry) },
  { name: 'none', given: 'apiVersion: v1\nkind: Config\n' },
  { name: 'plain http', given: kubeadm.replace('https:', 'http:') },
  { name: 'no authority', given: kubeadm.replace(/.*authority-data.*\n/, '') },
  { name: 'JSON without clusters', given: '{}' },
];
for (const { name, given } of refused) {
  test(`refused: ${name}`, () => assert.throws(() => readClusterEntry(given, code), { code }));
}
