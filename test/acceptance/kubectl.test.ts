import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Node } from '@slipway/api';
import { Kubectl, withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';

const worker = 'worker-1';
const configMap = (value: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace: 'default' },
    data: { key: value, kept: 'x' },
  });

suite('unmodified kubectl', { skip: withoutKubectl }, () => {
  let cluster: TryCluster;
  let kubectl: Kubectl;
  let scratch: string;

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'slipway-kubectl-'));
    cluster = await TryCluster.start({ nodes: 2, controlPlanes: 1 });
    kubectl = cluster.kubectl;
    await waitForPool(kubectl, 'worker', { machines: 2 });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(scratch, { recursive: true });
  });

  test('apply: created, unchanged, configured; a removed key goes, a foreign one stays', async () => {
    const given = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { one: '1', two: '2' },
    });
    assert.equal(await kubectl.run(['apply', '-f', '-'], given), 'configmap/a created\n');
    assert.equal(await kubectl.run(['apply', '-f', '-'], given), 'configmap/a unchanged\n');
    await kubectl.run([
      'patch',
      'configmap',
      'a',
      '--type=merge',
      '-p',
      '{"data":{"foreign":"f"}}',
    ]);
    assert.equal(
      await kubectl.run(['apply', '-f', '-'], given.replace(',"two":"2"', '')),
      'configmap/a configured\n',
    );
    const { data } = await kubectl.json<{ data: Record<string, string> }>([
      'get',
      'configmap',
      'a',
    ]);
    assert.deepEqual(data, { one: '1', foreign: 'f' });
  });

  test('apply answers a misspelled field with its path and changes nothing', async () => {
    const wrong = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'wrong' },
      dat: { one: '1' },
    });
    const result = await kubectl.try(['apply', '-f', '-'], wrong);
    assert.equal(result.code, 1);
    assert.match(result.stderr, /unknown field "dat"/);
    assert.notEqual((await kubectl.try(['get', 'configmap', 'wrong'])).code, 0);
  });

  test('diff: exit 1 and the changed line, exit 0 without a change', async () => {
    await kubectl.run(['apply', '-f', '-'], configMap('old'));
    assert.equal((await kubectl.try(['diff', '-f', '-'], configMap('old'))).code, 0);
    const changed = await kubectl.try(['diff', '-f', '-'], configMap('new'));
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /^\+ +key: new$/m);
  });

  test('edit', async () => {
    await kubectl.run(['apply', '-f', '-'], configMap('before'));
    const editor = join(scratch, 'editor');
    writeFileSync(editor, '#!/bin/sh\nsed -i s/before/after/ "$1"\n');
    chmodSync(editor, 0o755);
    const result = await kubectl.try(['edit', 'configmap', 'c'], undefined, {
      KUBE_EDITOR: editor,
    });
    assert.match(`${result.stdout}${result.stderr}`, /configmap\/c edited/);
    const { data } = await kubectl.json<{ data: Record<string, string> }>([
      'get',
      'configmap',
      'c',
    ]);
    assert.equal(data['key'], 'after');
  });

  test('label and annotate a node and a MachineConfigPool', async () => {
    for (const target of [
      ['node', worker],
      ['machineconfigpool', 'worker'],
    ]) {
      assert.match(await kubectl.run(['label', ...target, 'colour=blue']), /labeled/);
      assert.match(await kubectl.run(['annotate', ...target, 'note=hello']), /annotated/);
      assert.match(
        await kubectl.run(
          ['get', ...target, '-l', 'colour=blue', '-o', 'name'].filter((a) => a !== target[1]),
        ),
        new RegExp(`${target[1]}$`, 'm'),
      );
      assert.match(await kubectl.run(['label', ...target, 'colour-']), /unlabeled/);
    }
  });

  test('cordon, drain and uncordon: pods are evicted through the eviction API', async () => {
    const pod = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { app: name } },
      spec: {
        nodeName: worker,
        containers: [{ name: 'c', image: 'registry.invalid/none' }],
        terminationGracePeriodSeconds: 1,
      },
    });
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(pod('lonely')));
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/lonely', '--timeout=30s']);
    assert.match(await kubectl.run(['cordon', worker]), /cordoned/);
    assert.match(
      await kubectl.run(['get', 'nodes']),
      new RegExp(`${worker} +Ready,SchedulingDisabled`),
    );
    assert.match(
      await kubectl.run(['drain', worker, '--force', '--ignore-daemonsets', '--timeout=60s']),
      /drained/,
    );
    assert.notEqual((await kubectl.try(['get', 'pod', 'lonely'])).code, 0);
    assert.match(await kubectl.run(['uncordon', worker]), /uncordoned/);
    const node = await kubectl.json<Node>(['get', 'node', worker]);
    assert.equal(node.spec?.unschedulable, undefined);
  });

  test('drain waits for a PodDisruptionBudget and says so', async () => {
    const guarded = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'guarded', namespace: 'default', labels: { app: 'guarded' } },
          spec: {
            nodeName: worker,
            containers: [{ name: 'c', image: 'registry.invalid/none' }],
            terminationGracePeriodSeconds: 1,
          },
        },
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'guard', namespace: 'default' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
        },
      ],
    };
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(guarded));
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/guarded', '--timeout=30s']);
    const refused = await kubectl.try(['drain', worker, '--force', '--timeout=3s']);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /Cannot evict pod as it would violate the pod's disruption budget/,
    );
    await kubectl.run(['delete', 'pdb', 'guard']);
    await kubectl.run(['drain', worker, '--force', '--timeout=60s']);
    await kubectl.run(['uncordon', worker]);
  });

  test('explain knows built-in kinds and ours', async () => {
    assert.match(await kubectl.run(['explain', 'pod.spec.nodeName']), /FIELD: nodeName <string>/);
    assert.match(
      await kubectl.run(['explain', 'machineconfigpool.spec.maxUnavailable']),
      /maxUnavailable/,
    );
  });

  test('wait for a condition of a pool, and for a deletion', async () => {
    assert.match(
      await kubectl.run([
        'wait',
        '--for=condition=Updated',
        'machineconfigpool/worker',
        '--timeout=30s',
      ]),
      /condition met/,
    );
    await kubectl.run(['create', 'configmap', 'short-lived']);
    const waiting = kubectl.run(['wait', '--for=delete', 'configmap/short-lived', '--timeout=30s']);
    await kubectl.run(['delete', 'configmap', 'short-lived']);
    await waiting;
  });

  test('auth can-i: yes for the administrator, no for a stranger', async () => {
    assert.equal(await kubectl.run(['auth', 'can-i', 'delete', 'nodes']), 'yes\n');
    const no = await kubectl.try([
      'auth',
      'can-i',
      'delete',
      'nodes',
      '--as=somebody',
      '--as-group=system:authenticated',
    ]);
    assert.match(no.stdout, /^no/);
    const operator = (...question: string[]) =>
      kubectl.try(['auth', 'can-i', ...question, '--as=slipway-operator']);
    assert.match((await operator('patch', 'nodes')).stdout, /^yes/);
    assert.match((await operator('get', 'secrets', '-n', 'kube-system')).stdout, /^no/);
    assert.match(await kubectl.run(['auth', 'whoami']), /kubernetes-admin|system:masters/);
  });

  test('api-resources lists ours with short names', async () => {
    const table = await kubectl.run([
      'api-resources',
      '--api-group=machineconfiguration.alauda.io',
    ]);
    assert.match(
      table,
      /^machineconfigs +mc +machineconfiguration\.alauda\.io\/v1alpha1 +false +MachineConfig$/m,
    );
    assert.match(table, /^machineconfigpools +mcp +/m);
  });

  test('delete and its propagation', async () => {
    await kubectl.run(['create', 'configmap', 'owner']);
    const owner = await kubectl.json<{ metadata: { uid: string } }>(['get', 'configmap', 'owner']);
    const owned = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'owned',
        namespace: 'default',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid },
        ],
      },
    };
    await kubectl.run(['create', '-f', '-'], JSON.stringify(owned));
    assert.match(await kubectl.run(['delete', 'configmap', 'owner']), /configmap "owner" deleted/);
    await kubectl.run(['wait', '--for=delete', 'configmap/owned', '--timeout=30s']);
  });

  test("a node's certificate reads and writes its own objects only", async () => {
    // The host's kubeconfig names its certificate as the host sees it.
    const root = cluster.hostRoot(worker);
    const seen = cluster.hostFile(worker, '/etc/kubernetes/kubelet.conf') ?? '';
    const kubeconfig = join(scratch, 'kubelet.conf');
    writeFileSync(kubeconfig, seen.replaceAll(' /var/lib/kubelet/', ` ${root}/var/lib/kubelet/`));
    const own = new Kubectl(kubeconfig, join(scratch, 'node-cache'));
    assert.equal((await own.try(['annotate', 'node', worker, 'mine=1', '--overwrite'])).code, 0);
    const denied: readonly (readonly string[])[] = [
      ['annotate', 'node', 'worker-2', 'mine=1'],
      ['label', 'node', worker, 'node-role.kubernetes.io/control-plane='],
      ['get', 'secrets', '-n', 'kube-system'],
      ['delete', 'machineconfig', '00-worker'],
      ['label', 'machineconfigpool', 'worker', 'x=y'],
      [
        'patch',
        'machineconfignode',
        'worker-2',
        '--type=merge',
        '-p',
        '{"metadata":{"labels":{"x":"y"}}}',
      ],
      [
        'patch',
        'machineconfignode',
        'worker-2',
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"plannedActions":["x"]}}',
      ],
      [
        'patch',
        'lease',
        'worker-2',
        '-n',
        'kube-node-lease',
        '--type=merge',
        '-p',
        '{"spec":{"holderIdentity":"x"}}',
      ],
      ['delete', 'node', 'worker-2'],
    ];
    for (const args of denied) {
      const result = await own.try(args);
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, /[Ff]orbidden|denied|not allowed|can only/, args.join(' '));
    }
  });
});
