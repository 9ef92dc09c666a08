import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import { settleJoin } from '../config/settle-join.ts';
import { bareGround } from '../testing/bare-ground.ts';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import { annotateSocket } from './annotate-socket.ts';
import { createClusterTrust } from './cluster-trust.ts';

suite('annotateSocket', () => {
  const token = generateBootstrapToken();
  const configMaps = '/api/v1/namespaces/kube-system/configmaps';
  let cluster: JoinableCluster;
  before(async () => {
    cluster = await startJoinableCluster(token);
    const kubelet = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
    cluster.objects.set(`${configMaps}/kubelet-config`, {
      metadata: { name: 'kubelet-config' },
      data: { kubelet },
    } as object);
    cluster.objects.set('/api/v1/nodes/w1', { metadata: { name: 'w1' } });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const cases = [
    { version: 'v1.35.4', isOn: false, want: 1 },
    { version: 'v1.35.4', isOn: true, want: 0 },
    { version: 'v1.36.3', isOn: false, want: 0 },
  ];
  for (const { version, isOn, want } of cases) {
    test(`${version}, the gate ${isOn ? 'on' : 'off'}: ${want} patches of the Node`, async () => {
      const ClusterConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: ${version}
featureGates: {NodeLocalCRISocket: ${isOn}}
`;
      cluster.objects.set(`${configMaps}/kubeadm-config`, {
        metadata: { name: 'kubeadm-config' },
        data: { ClusterConfiguration },
      } as object);
      const ground = { ...bareGround(), clock: systemClock };
      const { reporter } = recordingReporter();
      const { value: join, issues } = await settleJoin({
        ground,
        flags: {
          endpoint: new URL(cluster.endpoint).host,
          token: formatBootstrapToken(token).reveal(),
          discoveryTokenCaCertHash: [cluster.pin],
          nodeName: 'w1',
        },
      });
      assert.ok(join !== undefined, JSON.stringify(issues));
      const trust = createClusterTrust({ join, ground, reporter });
      const before = cluster.asked.length;
      try {
        const { connection } = await trust.discovered();
        await annotateSocket({ trust, join, reporter }, connection);
      } finally {
        trust.close();
      }
      const patches = cluster.asked.slice(before).filter((line) => line.startsWith('PATCH'));
      assert.deepEqual(patches, Array(want).fill('PATCH /api/v1/nodes/w1'));
    });
  }
});
