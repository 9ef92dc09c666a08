import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { configMaps, daemonSets, nodes, pods } from '@slipway/api';
import { systemClock } from '@slipway/base';
import {
  applyObjects,
  corednsObjects,
  kubeletConfigObjects,
  kubeProxyConfiguration,
  kubeProxyObjects,
  observeCluster,
  planUpgrade,
  services,
} from '@slipway/bootstrap';
import type { KubeClient } from '@slipway/kube';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';

const namespace = 'kube-system';

async function addNode(client: KubeClient, name: string, kubeletVersion: string, ready: boolean) {
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  await client.create(nodes, { metadata: { name, labels } });
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  const body = { status: { conditions, nodeInfo: { kubeletVersion } } };
  await client.patch(nodes, name, { type: 'merge', body }, { subresource: 'status' });
}

async function addStaticPod(client: KubeClient, node: string, component: string, image: string) {
  await client.create(pods, {
    metadata: {
      namespace,
      name: `${component}-${node}`,
      labels: { component, tier: 'control-plane' },
    },
    spec: { nodeName: node, containers: [{ name: component, image }] },
  });
}

suite('observeCluster', () => {
  let cluster: EmbeddedCluster;
  before(async () => {
    cluster = await startEmbeddedCluster();
    const { client } = cluster;
    await addNode(client, 'cp1', 'v1.36.3', true);
    await addNode(client, 'cp2', 'v1.35.1', false);
    for (const node of ['cp1', 'cp2']) {
      await addStaticPod(client, node, 'kube-apiserver', 'r.test/kube-apiserver:v1.36.3');
      await addStaticPod(client, node, 'etcd', 'r.test:5000/etcd:3.6.8-0');
    }
    await addStaticPod(client, 'cp1', 'kube-scheduler', 'r.test/kube-scheduler@sha256:00');
    const configuration = kubeProxyConfiguration(undefined, {
      minor: 36,
      advertiseAddress: '10.0.0.1',
      podSubnet: '',
    });
    const objects = [
      ...corednsObjects({ image: 'r.test/coredns:v1.14.2', dnsDomain: 'd', address: '10.0.0.10' }),
      ...kubeProxyObjects({
        image: 'r.test/kube-proxy:v1.36.3',
        server: cluster.server,
        configuration,
        isGenerated: true,
      }),
      ...kubeletConfigObjects({ apiVersion: 'kubelet.config.k8s.io/v1beta1' }, true),
    ].filter(({ resource }) => resource !== services);
    await applyObjects(client, objects, { clock: systemClock });
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('versions by images and nodes; what cannot be told is said', async () => {
    const observed = await observeCluster(cluster.client);
    assert.deepEqual(
      observed.components
        .map(({ component, node, version }) => `${component} ${node} ${version}`)
        .sort(),
      [
        'etcd cp1 3.6.8-0',
        'etcd cp2 3.6.8-0',
        'kube-apiserver cp1 v1.36.3',
        'kube-apiserver cp2 v1.36.3',
        'kubelet cp1 v1.36.3',
        'kubelet cp2 v1.35.1',
      ],
    );
    assert.deepEqual([observed.coreDns, observed.kubeProxy], ['v1.14.2', 'v1.36.3']);
    assert.deepEqual(observed.configurations, [
      { group: 'kubeproxy.config.k8s.io', version: 'v1alpha1' },
      { group: 'kubelet.config.k8s.io', version: 'v1beta1' },
    ]);
    assert.deepEqual(observed.problems, ['control plane cp2 is not ready']);
    assert.deepEqual(observed.unknown, ['version of kube-scheduler on cp1: its image has no tag']);
  });

  test('without static pods the version is that of the API server', async () => {
    for (const node of ['cp1', 'cp2'])
      await cluster.client.delete(
        pods,
        { namespace, name: `kube-apiserver-${node}` },
        { gracePeriodSeconds: 0 },
      );
    const observed = await observeCluster(cluster.client);
    const companions = () => ({ etcd: '3.7.0-0', coreDns: 'v1.14.6' });
    const { clusterVersion, unknown } = planUpgrade(observed, { companions });
    const { gitVersion } = JSON.parse((await cluster.client.raw('/version')).body);
    assert.equal(clusterVersion, gitVersion);
    assert.match(unknown.join(), /there are no pods of kube-apiserver/);
  });

  test('an add-on that is not there has no row in a plan', async () => {
    await cluster.client.delete(daemonSets, { namespace, name: 'kube-proxy' });
    await cluster.client.delete(configMaps, { namespace, name: 'kube-proxy' });
    const observed = await observeCluster(cluster.client);
    const companions = () => ({ etcd: '3.7.0-0', coreDns: 'v1.14.6' });
    const { availableUpgrades, configVersions } = planUpgrade(observed, { companions });
    const rows = availableUpgrades[0]?.components.map(({ name }) => name) ?? [];
    assert.equal(rows.includes('kube-proxy'), false);
    assert.equal(rows.includes('CoreDNS'), true);
    assert.equal(configVersions[0]?.currentVersion, '');
  });
});
