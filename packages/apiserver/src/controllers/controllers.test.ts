import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@slipway/base';
import { bootstrapTokenSecret, parseBootstrapToken, verifyDetached } from '@slipway/pki';
import type { StoredObject } from '../contract.ts';
import { startBench } from '../local-bench.test.ts';
import { readObject, readPath, readText } from '../registry/read-path.ts';

const gone = (object: StoredObject | undefined) => (object === undefined ? true : undefined);

function configMap(name: string, more: object = {}, namespace = 'default') {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...more } };
}

function owner(object: StoredObject, more: object = {}) {
  const { name = '', uid = '' } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, name, uid, ...more };
}

suite('garbage collector', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());
  const configMaps = bench.definition('', 'configmaps');
  const get = (name: string) => bench.get('', 'configmaps', `default/${name}`);
  const remove = (name: string, propagationPolicy: string) =>
    bench.access.delete(configMaps, 'default', name, { propagationPolicy });

  test('background: dependents follow their owner, all the way down', async () => {
    const a = await bench.create(configMap('a'));
    const b = await bench.create(configMap('b', { ownerReferences: [owner(a)] }));
    await bench.create(configMap('c', { ownerReferences: [owner(b)] }));
    await remove('a', 'Background');
    await bench.until(() => gone(get('b')));
    await bench.until(() => gone(get('c')));
  });

  test('an owner that never was', async () => {
    const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nope', uid: 'u' };
    await bench.create(configMap('lost', { ownerReferences: [absent] }));
    await bench.until(() => gone(get('lost')));
  });

  test('a kind that is not served proves nothing', async () => {
    const unknown = { apiVersion: 'x.io/v1', kind: 'Nope', name: 'nope', uid: 'u' };
    await bench.create(configMap('kept', { ownerReferences: [unknown] }));
    await setImmediate();
    await remove('kept', 'Background');
  });

  test('one of two owners gone: the reference goes, the object stays', async () => {
    const a = await bench.create(configMap('one'));
    const b = await bench.create(configMap('two'));
    await bench.create(configMap('both', { ownerReferences: [owner(a), owner(b)] }));
    await remove('one', 'Background');
    await bench.until(() =>
      get('both')?.metadata.ownerReferences?.length === 1 ? true : undefined,
    );
    assert.equal(get('both')?.metadata.ownerReferences?.[0]?.name, 'two');
  });

  test('foreground: the owner waits for those that block it', async () => {
    const top = await bench.create(configMap('top'));
    const hold = { finalizers: ['ex.io/hold'] };
    await bench.create(
      configMap('blocker', {
        ...hold,
        ownerReferences: [owner(top, { blockOwnerDeletion: true })],
      }),
    );
    await remove('top', 'Foreground');
    await bench.until(() => get('blocker')?.metadata.deletionTimestamp);
    assert.deepEqual(get('top')?.metadata.finalizers, ['foregroundDeletion']);
    await bench.access.update(configMaps, 'default', 'blocker', (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    await bench.until(() => gone(get('top')));
  });

  test('orphan: dependents stay and forget', async () => {
    const parent = await bench.create(configMap('parent'));
    await bench.create(configMap('child', { ownerReferences: [owner(parent)] }));
    await remove('parent', 'Orphan');
    await bench.until(() => gone(get('parent')));
    assert.equal(get('child')?.metadata.ownerReferences, undefined);
    assert.equal(get('child')?.metadata.deletionTimestamp, undefined);
  });
});

suite('namespaces', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());

  test('are emptied, held by what is held, and refuse new content', async () => {
    await bench.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } });
    await bench.create(configMap('a', {}, 'x'));
    await bench.create(configMap('held', { finalizers: ['ex.io/hold'] }, 'x'));
    await bench.access.delete(bench.definition('', 'namespaces'), undefined, 'x');
    await bench.until(() => gone(bench.get('', 'configmaps', 'x/a')));
    await assert.rejects(
      bench.create(configMap('new', {}, 'x')),
      /configmaps "new" is forbidden: unable to create new content in namespace x because it is being terminated/,
    );
    assert.equal(readText(bench.get('', 'namespaces', 'x'), 'status', 'phase'), 'Terminating');
    await bench.access.update(bench.definition('', 'configmaps'), 'x', 'held', (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    await bench.until(() => gone(bench.get('', 'namespaces', 'x')));
  });
});

suite('disruption budgets', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());
  const pod = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'a' }, ...more },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  const budget = (name: string, spec: object) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
  });
  const ready = async (name: string) => {
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await bench.access.update(
      bench.definition('', 'pods'),
      'default',
      name,
      (o) => ({ ...o, status }),
      {
        subresource: 'status',
      },
    );
  };
  const status = (name: string) =>
    readObject(bench.get('policy', 'poddisruptionbudgets', `default/${name}`), 'status');

  test('count ready pods against what must stay', async () => {
    await bench.create(pod('p1'));
    await bench.create(pod('p2'));
    await bench.create(budget('least', { minAvailable: 1 }));
    await bench.until(() => (status('least')['expectedPods'] === 2 ? true : undefined));
    assert.equal(status('least')['disruptionsAllowed'], 0);
    await ready('p1');
    await ready('p2');
    await bench.until(() => (status('least')['disruptionsAllowed'] === 1 ? true : undefined));
    assert.equal(status('least')['currentHealthy'], 2);
    assert.equal(status('least')['desiredHealthy'], 1);
  });

  test('pods without a controller have no scale: nothing may be disrupted', async () => {
    await bench.create(budget('share', { maxUnavailable: '50%' }));
    const conditions = await bench.until(
      () => status('share')['conditions'] as object[] | undefined,
    );
    assert.match(JSON.stringify(conditions), /"SyncFailed".*found no controller ref for pod/);
    assert.equal(status('share')['disruptionsAllowed'], 0);
  });
});

suite('time', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const bench = await startBench(clock);
  after(() => bench[Symbol.asyncDispose]());
  const token = parseBootstrapToken('abcdef.0123456789abcdef');

  test('cluster-info is signed per token, and tokens expire', async () => {
    const expiresAt = clock.now() + 60_000;
    const info = () => bench.get('', 'configmaps', 'kube-public/cluster-info');
    await bench.create(bootstrapTokenSecret({ token, expiresAt }));
    await clock.advance(1000);
    const signature = await bench.until(() => {
      const found = readPath(info(), 'data', 'jws-kubeconfig-abcdef');
      return typeof found === 'string' ? found : undefined;
    });
    const content = readText(info(), 'data', 'kubeconfig');
    assert.ok(verifyDetached(content, signature, token));
    assert.match(content, /server: https:\/\/127\.0\.0\.1:6443/);
    await clock.advance(60_000);
    await bench.until(() => gone(bench.get('', 'secrets', 'kube-system/bootstrap-token-abcdef')));
    await clock.advance(1000);
    await bench.until(() =>
      readPath(info(), 'data', 'jws-kubeconfig-abcdef') === undefined ? true : undefined,
    );
  });

  test('events live for an hour after they were last seen', async () => {
    const event = (name: string, lastTimestamp: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Node', name: 'n', namespace: 'default' },
      lastTimestamp,
    });
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    await bench.create(event('old', at(0)));
    await bench.create(event('seen-again', at(30 * 60_000)));
    for (let minute = 0; minute < 61; minute += 1) {
      await clock.advance(60_000);
      await setImmediate();
    }
    await bench.until(() => gone(bench.get('', 'events', 'default/old')));
    assert.notEqual(bench.get('', 'events', 'default/seen-again'), undefined);
  });
});
