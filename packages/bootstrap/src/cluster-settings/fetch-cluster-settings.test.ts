import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import { createKubeClient } from '@slipway/kube';
import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import { kubeletConfigObjects } from '../object/kubelet-config.ts';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { fetchClusterSettings } from './fetch-cluster-settings.ts';

const token = generateBootstrapToken();
const folder = '/api/v1/namespaces/kube-system/configmaps';

// As kubeadm v1.37.2 stores it.
const clusterConfiguration = `apiServer: {}
apiVersion: kubeadm.k8s.io/v1beta4
caCertificateValidityPeriod: 87600h0m0s
certificateValidityPeriod: 8760h0m0s
certificatesDir: /etc/kubernetes/pki
clusterName: kubernetes
controllerManager: {}
controlPlaneEndpoint: api.example:6443
dns: {}
encryptionAlgorithm: RSA-2048
etcd:
  local:
    dataDir: /var/lib/etcd
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
networking:
  dnsDomain: cluster.local
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/12
proxy: {}
scheduler: {}
`;

suite('settings of a cluster', () => {
  function publish(cluster: JoinableCluster, name: string, data: object, metadata = {}): void {
    cluster.objects.set(`${folder}/${name}`, { metadata: { name, ...metadata }, data } as object);
  }

  async function settingsOf(cluster: JoinableCluster) {
    const client = createKubeClient({
      server: cluster.endpoint,
      certificateAuthority: { pem: cluster.authorityPem },
      token: { secret: formatBootstrapToken(token) },
    });
    try {
      return await fetchClusterSettings(client, { clock: systemClock, timeoutMs: 60 });
    } finally {
      client.close();
    }
  }

  test('of kubeadm: cluster, kubelet and kube-proxy', async () => {
    await using cluster = await startJoinableCluster(token);
    publish(cluster, 'kubeadm-config', { ClusterConfiguration: clusterConfiguration });
    const [generated] = kubeletConfigObjects({ kind: 'KubeletConfiguration' }, true);
    cluster.objects.set(`${folder}/kubelet-config`, generated?.object ?? {});
    publish(cluster, 'kube-proxy', { 'config.conf': 'mode: nftables\n' });
    const found = await settingsOf(cluster);
    assert.equal(found.cluster.kubernetesVersion, 'v1.37.2');
    assert.equal(found.cluster.controlPlaneEndpoint, 'api.example:6443');
    assert.equal(found.cluster.networking.podSubnet, '10.244.0.0/16');
    assert.deepEqual(found.components, {
      kubelet: { kind: 'KubeletConfiguration' },
      kubeProxy: { mode: 'nftables' },
    });
    assert.deepEqual(found.generated, { kubelet: true, kubeProxy: false });
    assert.deepEqual(found.warnings, []);
  });

  for (const status of [404, 403]) {
    test(`without kube-proxy, where that is told by ${status}`, async () => {
      await using cluster = await startJoinableCluster(token);
      cluster.objects.set(`${folder}/kube-proxy`, status);
      publish(cluster, 'kubeadm-config', { ClusterConfiguration: clusterConfiguration });
      publish(cluster, 'kubelet-config', { kubelet: 'maxPods: 50\n' });
      const { components, generated } = await settingsOf(cluster);
      assert.deepEqual(components, { kubelet: { maxPods: 50 } });
      assert.deepEqual(generated, { kubelet: false, kubeProxy: false });
    });
  }

  const refused = [
    { name: 'no kubeadm-config', given: undefined, want: 'missing' },
    { name: 'no ClusterConfiguration in it', given: {}, want: 'missing' },
    {
      name: 'a ClusterConfiguration that is none',
      given: { ClusterConfiguration: 'kind: [' },
      want: 'invalid',
    },
    {
      name: 'no kubelet-config',
      given: { ClusterConfiguration: clusterConfiguration },
      want: 'missing',
    },
  ];
  for (const { name, given, want } of refused) {
    test(`refused: ${name}`, async () => {
      await using cluster = await startJoinableCluster(token);
      if (given !== undefined) publish(cluster, 'kubeadm-config', given);
      await assert.rejects(settingsOf(cluster), { code: `bootstrap.cluster-settings.${want}` });
    });
  }
});
