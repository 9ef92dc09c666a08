import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLogger, systemClock } from '@slipway/base';
import { createRootFolderFiles, describedMachine } from '@slipway/host';
import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import { settleJoin } from '../config/settle-join.ts';
import type { Patch } from '../patches/load-patches.ts';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { createDryRunFiles } from '../workflow/dry-run-files.ts';
import type { Ground } from '../workflow/ground.ts';
import { runWorkflow } from '../workflow/runner.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import { createClusterTrust } from './cluster-trust.ts';
import { createDryRunTrust } from './dry-run-trust.ts';
import { joinPhases } from './phases.ts';

const clusterConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
networking: {serviceSubnet: 10.96.0.0/12, dnsDomain: example.test}
`;
const kubeletConfiguration =
  'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

suite('join of a worker', () => {
  const token = generateBootstrapToken();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-join-'));
  let cluster: JoinableCluster;

  before(async () => {
    cluster = await startJoinableCluster(token);
    const configMaps = '/api/v1/namespaces/kube-system/configmaps';
    const of = (name: string, data: Record<string, string>) =>
      cluster.objects.set(`${configMaps}/${name}`, { metadata: { name }, data } as object);
    of('kubeadm-config', { ClusterConfiguration: clusterConfiguration });
    of('kubelet-config', { kubelet: kubeletConfiguration });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function groundOf(name: string): { readonly root: string; readonly ground: Ground } {
    const root = mkdtempSync(join(folder, name));
    const files = createRootFolderFiles({ root, userId: process.geteuid?.() ?? 0 });
    assert.ok(files !== undefined);
    const machine = describedMachine({ hostname: 'w1' });
    return {
      root,
      ground: { files, machine, clock: systemClock, logger: silentLogger, variables: {} },
    };
  }

  async function joinOn(ground: Ground, isDryRun = false, patches: readonly Patch[] = []) {
    const { reporter, lines } = recordingReporter();
    const settled = await settleJoin({
      ground,
      flags: {
        endpoint: new URL(cluster.endpoint).host,
        token: formatBootstrapToken(token).reveal(),
        discoveryTokenCaCertHash: [cluster.pin],
        ignorePreflightErrors: ['all'],
        dryRun: isDryRun,
      },
    });
    assert.ok(settled.value !== undefined, JSON.stringify(settled.issues));
    const options = { join: settled.value, ground, reporter };
    const substitute = () => assert.fail('the cluster answers');
    const trust = isDryRun
      ? await createDryRunTrust({ ...options, isTold: true, substitute })
      : createClusterTrust(options);
    const files = isDryRun ? createDryRunFiles(ground.files, '/dry') : ground.files;
    try {
      await runWorkflow({
        phases: joinPhases,
        selection: {},
        reporter,
        data: {
          ...options,
          ground: { ...ground, files },
          machineGround: ground,
          isDryRun,
          trust,
          patches,
        },
      });
    } finally {
      trust.close();
    }
    return { lines, files };
  }

  const written = [
    'etc/kubernetes/kubelet.conf',
    'etc/kubernetes/pki/ca.crt',
    'etc/kubernetes/tmp/slipway-join-unfinished',
    'var/lib/kubelet/config.yaml',
    'var/lib/kubelet/instance-config.yaml',
    'var/lib/kubelet/kubeadm-flags.env',
  ];

  function filesOf(root: string): readonly string[] {
    return (readdirSync(root, { recursive: true }) as string[])
      .filter((path) => statSync(join(root, path)).isFile())
      .sort((a, b) => (a < b ? -1 : 1));
  }

  test('the configuration of the kubelet is patched', async () => {
    const { root, ground } = groundOf('patched');
    const patch = {
      target: 'kubeletconfiguration',
      kind: 'merge',
      file: '/p/kubeletconfiguration+merge.yaml',
      position: { line: 1, column: 1 },
      content: { maxPods: 33 },
    } as const;
    await joinOn(ground, false, [patch]);
    const configuration = readFileSync(join(root, 'var/lib/kubelet/config.yaml'), 'utf8');
    assert.match(configuration, /^maxPods: 33$/m);
  });

  test('writes what the kubelet needs, from what the cluster holds', async () => {
    const { root, ground } = groundOf('plain');
    const { lines } = await joinOn(ground);
    assert.deepEqual(filesOf(root), written);
    assert.equal(
      readFileSync(join(root, 'etc/kubernetes/pki/ca.crt'), 'utf8'),
      cluster.authorityPem,
    );
    const configuration = readFileSync(join(root, 'var/lib/kubelet/config.yaml'), 'utf8');
    assert.match(configuration, /clusterDomain: example\.test/);
    assert.match(configuration, /- 10\.96\.0\.10/);
    assert.equal(statSync(join(root, 'etc/kubernetes/kubelet.conf')).mode & 0o777, 0o600);
    assert.ok(lines.some((line) => line.includes('no kubelet runs here')));
  });

  test('where nodes do not keep their socket, the kubelet gets it as a flag', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/kubeadm-config';
    const kept = cluster.objects.get(path);
    assert.ok(kept !== undefined);
    const old = clusterConfiguration.replace('v1.37.2', 'v1.36.3');
    const ClusterConfiguration = `${old}featureGates: {NodeLocalCRISocket: false}\n`;
    cluster.objects.set(path, { ...(kept as object), data: { ClusterConfiguration } } as object);
    const { root, ground } = groundOf('flagged');
    await joinOn(ground);
    cluster.objects.set(path, kept);
    const without = written.filter((name) => !name.endsWith('instance-config.yaml'));
    assert.deepEqual(filesOf(root), without);
    assert.match(
      readFileSync(join(root, 'var/lib/kubelet/kubeadm-flags.env'), 'utf8'),
      /--container-runtime-endpoint=unix:/,
    );
  });

  test('broken off and run again it touches nothing that is right', async () => {
    const { root, ground } = groundOf('again');
    await joinOn(ground);
    const state = () =>
      written.map((path) => [
        path,
        statSync(join(root, path)).ino,
        statSync(join(root, path)).mtimeMs,
      ]);
    const first = state();
    await joinOn(ground);
    assert.deepEqual(state(), first);
  });

  test('a name that a Ready Node has is refused before anything is written', async () => {
    const { root, ground } = groundOf('taken');
    const conditions = [{ type: 'Ready', status: 'True' }] as const;
    cluster.nodes.set('w1', { metadata: { name: 'w1' }, status: { conditions } } as object);
    try {
      await assert.rejects(joinOn(ground), { code: 'bootstrap.node.exists' });
    } finally {
      cluster.nodes.delete('w1');
    }
    assert.ok(!filesOf(root).includes('etc/kubernetes/bootstrap-kubelet.conf'));
  });

  test('after a denied request the next try asks with another key', async () => {
    const { root, ground } = groundOf('denied');
    const before = cluster.requests.size;
    cluster.behaviour = 'deny';
    try {
      await assert.rejects(joinOn(ground), { code: 'bootstrap.certificate.denied' });
    } finally {
      cluster.behaviour = 'sign';
    }
    await joinOn(ground);
    assert.equal(cluster.requests.size, before + 2);
    assert.deepEqual(filesOf(root), written);
  });

  test('a dry run reads the cluster and writes nothing but to its folder', async () => {
    const { root, ground } = groundOf('dry');
    const asked = cluster.asked.length;
    const { files } = await joinOn(ground, true);
    assert.ok(filesOf(root).every((path) => path.startsWith('dry/')));
    assert.ok((await files.stat('/var/lib/kubelet/config.yaml')) !== undefined);
    const methods = cluster.asked.slice(asked).map((line) => line.split(' ', 1)[0]);
    assert.deepEqual([...new Set(methods)], ['GET']);
  });
});
