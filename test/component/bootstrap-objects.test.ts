import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  type ConfigMap,
  clusterRoleBindings,
  configMaps,
  machineConfigPools,
  nodes,
} from '@slipway/api';
import { systemClock } from '@slipway/base';
import {
  applyObjects,
  bootstrapAccessObjects,
  type ClusterObject,
  clusterAdminsName,
  clusterInfoKey,
  clusterInfoObjects,
  clusterObject,
  controlPlaneMark,
  corednsObjects,
  ensureClusterAdmins,
  kubeadmConfigObjects,
  kubeletConfigObjects,
  kubeProxyObjects,
  machineConfigObjects,
  markNode,
  services,
  uploadCertificates,
} from '@slipway/bootstrap';
import { isForbidden, type KubeClient } from '@slipway/kube';
import { generateBootstrapToken } from '@slipway/pki';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';

const options = { clock: systemClock, timeoutMs: 5000 };

/** All objects but Services, which the embedded server does not serve. */
function allObjects(cluster: EmbeddedCluster): readonly ClusterObject[] {
  const entry = {
    server: cluster.server,
    certificateAuthorityPem: cluster.certificateAuthorityPem,
  };
  const proxy = { image: 'i', server: entry.server, configuration: {}, isGenerated: true };
  return [
    ...kubeadmConfigObjects('kind: ClusterConfiguration\n'),
    ...kubeletConfigObjects({ kind: 'KubeletConfiguration' }, true),
    ...bootstrapAccessObjects(37),
    ...clusterInfoObjects(entry),
    ...corednsObjects({ image: 'i', dnsDomain: 'cluster.local', address: '10.96.0.10' }),
    ...kubeProxyObjects(proxy),
    ...machineConfigObjects([]),
  ].filter(({ resource }) => resource !== services);
}

/** `client`, but before its next update somebody else writes the object. */
function withRival(client: KubeClient, rival: () => Promise<unknown>): KubeClient {
  const pending = [rival];
  return new Proxy(client, {
    get(target, member) {
      if (member !== 'update') return Reflect.get(target, member).bind(target);
      return async (...args: Parameters<KubeClient['update']>) => {
        await pending.pop()?.();
        return target.update(...args);
      };
    },
  });
}

suite('applyObjects', () => {
  let cluster: EmbeddedCluster;
  before(async () => {
    cluster = await startEmbeddedCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('everything is created once, and a second run writes nothing', async () => {
    const objects = allObjects(cluster);
    const first = await applyObjects(cluster.client, objects, options);
    // Some rights of bootstrap tokens are in the embedded server from the start.
    const present = first.filter(({ outcome }) => outcome !== 'created');
    assert.deepEqual(
      present.filter(({ resource }) => resource.group !== clusterRoleBindings.group),
      [],
    );
    const second = await applyObjects(cluster.client, objects, options);
    assert.deepEqual(
      second.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'kept'),
      [],
    );
    const versions = (applied: typeof first) =>
      applied.map(({ live }) => live.metadata?.generation ?? 0);
    assert.deepEqual(versions(second), versions(first));
    assert.equal((await cluster.client.list(machineConfigPools)).length, 2);
  });

  test('a difference is repaired; labels, annotations and keys of others stay out of it', async () => {
    const key = { namespace: 'kube-system', name: 'repaired' };
    const wanted = clusterObject<ConfigMap>(configMaps, { metadata: key, data: { a: 'right' } });
    await cluster.client.create(configMaps, {
      metadata: { ...key, labels: { owner: 'somebody' } },
      data: { a: 'wrong' },
    });
    const [repaired] = await applyObjects(cluster.client, [wanted], options);
    assert.equal(repaired?.outcome, 'updated');
    const live = await cluster.client.get(configMaps, key);
    assert.deepEqual([live.data, live.metadata?.labels], [{ a: 'right' }, { owner: 'somebody' }]);
    await cluster.client.update(configMaps, { ...live, data: { a: 'right', b: 'of another' } });
    const [again] = await applyObjects(cluster.client, [wanted], options);
    assert.equal(again?.outcome, 'unchanged');
  });

  test('signatures in cluster-info survive', async () => {
    const live = await cluster.client.get(configMaps, clusterInfoKey);
    const data = { ...live.data, 'jws-kubeconfig-abcdef': 'signed' };
    await cluster.client.update(configMaps, { ...live, data });
    await applyObjects(cluster.client, allObjects(cluster), options);
    assert.deepEqual((await cluster.client.get(configMaps, clusterInfoKey)).data, data);
  });

  test('a Corefile that its owner changed stays', async () => {
    const key = { namespace: 'kube-system', name: 'coredns' };
    const live = await cluster.client.get(configMaps, key);
    await cluster.client.update(configMaps, { ...live, data: { Corefile: 'mine' } });
    await applyObjects(cluster.client, allObjects(cluster), options);
    assert.deepEqual((await cluster.client.get(configMaps, key)).data, { Corefile: 'mine' });
  });

  test('a Corefile that nobody changed follows the domain', async () => {
    const key = { namespace: 'kube-system', name: 'coredns' };
    await cluster.client.delete(configMaps, key);
    const objectsOf = (dnsDomain: string) =>
      corednsObjects({ image: 'i', dnsDomain, address: '10.96.0.10' }).slice(0, 1);
    await applyObjects(cluster.client, objectsOf('old.test'), options);
    await applyObjects(cluster.client, objectsOf('new.test'), options);
    const { data } = await cluster.client.get(configMaps, key);
    assert.match(data?.['Corefile'] ?? '', /kubernetes new\.test /);
  });

  test('a conflict is tried again with what the other one wrote', async () => {
    const key = { namespace: 'kube-system', name: 'contested' };
    const created = await cluster.client.create(configMaps, { metadata: key, data: { a: '0' } });
    const rival = () =>
      cluster.client.update(configMaps, {
        ...created,
        metadata: { ...created.metadata, annotations: { rival: 'here' } },
      });
    const wanted = clusterObject<ConfigMap>(configMaps, { metadata: key, data: { a: '1' } });
    const [applied] = await applyObjects(withRival(cluster.client, rival), [wanted], options);
    assert.equal(applied?.outcome, 'updated');
    const live = await cluster.client.get(configMaps, key);
    assert.deepEqual([live.data, live.metadata?.annotations], [{ a: '1' }, { rival: 'here' }]);
  });

  test('what is refused for good fails at once and names the object', async () => {
    const bad = clusterObject<ConfigMap>(configMaps, {
      metadata: { namespace: 'kube-system', name: 'Not a name' },
    });
    await assert.rejects(
      applyObjects(cluster.client, [bad], { clock: systemClock, timeoutMs: 1500 }),
      {
        code: 'bootstrap.object.not-applied',
        message: /apply ConfigMap kube-system\/Not a name: /,
      },
    );
  });

  test('uploaded certificates belong to a token that expires in two hours', async () => {
    const upload = { content: { 'ca.crt': 'AAAA' }, ownerToken: generateBootstrapToken() };
    const applied = await uploadCertificates(cluster.client, upload, options);
    const [token, certificates] = applied.map(({ live }) => live.metadata);
    assert.equal(certificates?.ownerReferences?.[0]?.uid, token?.uid);
    const next = { content: { 'ca.crt': 'BBBB' }, ownerToken: generateBootstrapToken() };
    const again = await uploadCertificates(cluster.client, next, options);
    assert.deepEqual(
      again.map(({ outcome }) => outcome),
      ['created', 'updated', 'unchanged', 'unchanged'],
    );
  });

  test('a node is marked once', async () => {
    await cluster.client.create(nodes, { metadata: { name: 'cp1' } });
    const taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
    const mark = () =>
      markNode(cluster.client, 'cp1', (node) => controlPlaneMark(node, [taint]), options);
    assert.deepEqual([await mark(), await mark()], [true, false]);
    const { metadata, spec } = await cluster.client.get(nodes, 'cp1');
    assert.deepEqual(spec?.taints, [taint]);
    assert.equal(metadata?.labels?.['node-role.kubernetes.io/control-plane'], '');
  });

  test('admin.conf has no rights, then has them by super-admin.conf, then needs it no more', async () => {
    await cluster.client.delete(clusterRoleBindings, clusterAdminsName);
    const admin = await cluster.clientOf('kubernetes-admin', [clusterAdminsName]);
    await assert.rejects(ensureClusterAdmins({ admin }, options), {
      code: 'bootstrap.admin.not-bound',
    });
    await assert.rejects(admin.list(nodes), isForbidden);
    await ensureClusterAdmins({ admin, superAdmin: cluster.client }, options);
    assert.equal((await admin.list(nodes)).length, 1);
    await ensureClusterAdmins({ admin }, options);
  });
});
