import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodes, pods } from '@slipway/api';
import { systemClock } from '@slipway/base';
import { applyObjects, kubeadmConfigObjects, kubeletConfigObjects } from '@slipway/bootstrap';
import { parse } from 'yaml';
import { startEmbeddedCluster } from '../kit/embedded-cluster.ts';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

/** Manifests that kubeadm v1.36.3 wrote for node cp1 at 10.20.0.11. */
const recorded = fileURLToPath(
  new URL('../../packages/bootstrap/src/upgrade/testdata', import.meta.url),
);

const clusterConfiguration = [
  'apiVersion: kubeadm.k8s.io/v1beta4',
  'kind: ClusterConfiguration',
  'kubernetesVersion: v1.36.3',
  'networking:',
  '  dnsDomain: cluster.local',
  '  serviceSubnet: 10.96.0.0/12',
  '',
].join('\n');

let root: string;

before(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
  const manifests = join(root, 'etc/kubernetes/manifests');
  mkdirSync(manifests, { recursive: true });
  for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'])
    cpSync(join(recorded, `${name}.yaml`), join(manifests, `${name}.yaml`));
  writeFileSync(join(root, 'cluster.yaml'), clusterConfiguration);
  // The API server mounts what of these a machine has; the recorded one had both.
  for (const directory of [
    'etc/ca-certificates',
    'usr/share/ca-certificates',
    'usr/local/share/ca-certificates',
  ])
    mkdirSync(join(root, directory), { recursive: true });
});
after(() => rmSync(root, { recursive: true }));

suite('slipway upgrade plan without a cluster', () => {
  test('the versions of the manifests, what they would become, and what is not known', async () => {
    const { code, stdout } = await slipwayInProcess(['upgrade', 'plan', '--rootfs', root]);
    assert.equal(code, 0);
    assert.match(stdout, /^Version of the cluster: v1\.36\.3$/m);
    assert.match(stdout, /^COMPONENT +NODE +CURRENT +TARGET$/m);
    assert.match(stdout, /^kube-apiserver +cp1 +v1\.36\.3 +v1\.37\.2$/m);
    assert.match(stdout, /^etcd +cp1 +3\.6\.8-0 +3\.7\.0-0$/m);
    assert.match(stdout, /^ {2}- versions of the kubelets: no cluster was asked$/m);
    assert.match(stdout, /kubeadm upgrade apply v1\.37\.2/);
    assert.match(stdout, /^kubelet\.config\.k8s\.io +- +v1beta1 +no$/m);
  });

  for (const format of ['json', 'yaml']) {
    test(`as ${format}, in the form of kubeadm and with the findings`, async () => {
      const { stdout } = await slipwayInProcess([
        ...['upgrade', 'plan', 'v1.38.0', '--rootfs', root, '-o', format],
      ]);
      const plan = parse(stdout);
      assert.deepEqual(
        [plan.kind, plan.apiVersion],
        ['UpgradePlan', 'output.kubeadm.k8s.io/v1alpha3'],
      );
      const [upgrade] = plan.availableUpgrades;
      assert.deepEqual(upgrade.components[0], {
        name: 'kube-apiserver',
        nodeName: 'cp1',
        currentVersion: 'v1.36.3',
        newVersion: 'v1.38.0',
      });
      assert.deepEqual(
        upgrade.findings.map((finding: { rule: string }) => finding.rule),
        ['skips-minor', 'target-newer-than-slipway', 'kubelets-unknown'],
      );
    });
  }

  test('an etcd image of its own stays; etcd may be left out', async () => {
    const config = join(root, 'own-etcd.yaml');
    writeFileSync(config, `${clusterConfiguration}etcd: {local: {imageTag: 3.6.8-own}}\n`);
    const planned = await slipwayInProcess([
      ...['upgrade', 'plan', '--rootfs', root, '--config', config],
    ]);
    assert.match(planned.stdout, /^etcd +cp1 +3\.6\.8-0 +3\.6\.8-own$/m);
    const without = await slipwayInProcess([
      ...['upgrade', 'plan', '--rootfs', root, '--etcd-upgrade=false'],
    ]);
    assert.doesNotMatch(without.stdout, /^etcd/m);
  });

  test('UpgradeConfiguration says what flags do not', async () => {
    const config = join(root, 'upgrade.yaml');
    const document = ['apiVersion: kubeadm.k8s.io/v1beta4', 'kind: UpgradeConfiguration'];
    writeFileSync(config, [...document, 'plan: {kubernetesVersion: v1.36.9}', ''].join('\n'));
    const { stdout } = await slipwayInProcess([
      ...['upgrade', 'plan', '--rootfs', root, '--config', config],
    ]);
    assert.match(stdout, /^kube-scheduler +cp1 +v1\.36\.3 +v1\.36\.9$/m);
  });
});

suite('slipway upgrade diff without a cluster', () => {
  const diff = (...more: readonly string[]) =>
    slipwayInProcess([
      ...['upgrade', 'diff', ...more],
      ...['--rootfs', root, '--config', 'cluster.yaml'],
    ]);

  test('a patch: only images change, at their lines, as kubeadm has them', async () => {
    const { code, stdout } = await diff('v1.36.9', '-c', '0');
    assert.equal(code, 0);
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      '--- /etc/kubernetes/manifests/kube-apiserver.yaml',
      '+++ new manifest',
      '@@ -42 +42 @@',
      '-    image: registry.k8s.io/kube-apiserver:v1.36.3',
      '+    image: registry.k8s.io/kube-apiserver:v1.36.9',
      '--- /etc/kubernetes/manifests/kube-controller-manager.yaml',
      '+++ new manifest',
      '@@ -27 +27 @@',
      '-    image: registry.k8s.io/kube-controller-manager:v1.36.3',
      '+    image: registry.k8s.io/kube-controller-manager:v1.36.9',
      '--- /etc/kubernetes/manifests/kube-scheduler.yaml',
      '+++ new manifest',
      '@@ -18 +18 @@',
      '-    image: registry.k8s.io/kube-scheduler:v1.36.3',
      '+    image: registry.k8s.io/kube-scheduler:v1.36.9',
    ]);
  });

  test('the version of the configuration changes nothing, and that is said beside the answer', async () => {
    const { code, stdout, stderr } = await diff();
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /the static pods of this node are those of v1\.36\.3/);
  });

  test('another minor brings another etcd', async () => {
    const { stdout } = await diff('v1.37.2');
    assert.match(stdout, /^\+ {4}image: registry\.k8s\.io\/etcd:3\.7\.0-0$/m);
  });

  test('patches are part of what would be written', async () => {
    mkdirSync(join(root, 'patches'), { recursive: true });
    writeFileSync(join(root, 'patches/etcd.yaml'), 'metadata: {annotations: {patched: "yes"}}\n');
    const { stdout } = await diff('--patches', '/patches', '-c', '0');
    assert.match(stdout, /^\+\s+patched: "?yes"?$/m);
    assert.doesNotMatch(stdout, /kube-apiserver/);
  });

  const refused = [
    { name: 'no version', argv: ['v1'], want: /it is no version such as v1\.37\.2/ },
    { name: 'lines of context', argv: ['-c', 'many'], want: /must be a whole number/ },
  ];
  for (const { name, argv, want } of refused) {
    test(`${name} is refused`, async () => {
      const { code, stderr } = await diff(...argv);
      assert.equal(code, 3);
      assert.match(stderr, want);
    });
  }

  test('without a configuration the way to give one is told', async () => {
    const { code, stderr } = await slipwayInProcess(['upgrade', 'diff', '--rootfs', root]);
    assert.equal(code, 3);
    assert.match(stderr, /bootstrap\.upgrade\.no-configuration/);
  });

  test('a node without manifests is no control plane', async () => {
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const { code, stderr } = await slipwayInProcess([
      ...['upgrade', 'diff', 'v1.37.2', '--rootfs', empty],
      ...['--config', join(root, 'cluster.yaml')],
    ]);
    assert.equal(code, 3);
    assert.match(stderr, /kube-apiserver\.yaml: no such file/);
  });
});

suite('slipway upgrade with a cluster', () => {
  test('plan and diff take versions and configuration from it', async () => {
    await using cluster = await startEmbeddedCluster();
    const { client } = cluster;
    await client.create(nodes, { metadata: { name: 'cp1' } });
    const body = { status: { nodeInfo: { kubeletVersion: 'v1.36.3' } } };
    await client.patch(nodes, 'cp1', { type: 'merge', body }, { subresource: 'status' });
    const labels = { component: 'kube-apiserver', tier: 'control-plane' };
    await client.create(pods, {
      metadata: { namespace: 'kube-system', name: 'kube-apiserver-cp1', labels },
      spec: { nodeName: 'cp1', containers: [{ name: 'kube-apiserver', image: 'a:v1.36.3' }] },
    });
    const kubelet = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };
    const objects = [
      ...kubeadmConfigObjects(clusterConfiguration),
      ...kubeletConfigObjects(kubelet, true),
    ];
    await applyObjects(client, objects, { clock: systemClock });
    const kubeconfig = join(root, 'admin.conf');
    writeFileSync(kubeconfig, await cluster.kubeconfig());
    const source = ['--kubeconfig', kubeconfig, '--rootfs', root];
    const plan = await slipwayInProcess(['upgrade', 'plan', ...source, '--print-config']);
    assert.match(plan.stdout, /^kubelet +cp1 +v1\.36\.3 +v1\.37\.2$/m);
    assert.match(plan.stdout, /^ {2}serviceSubnet: 10\.96\.0\.0\/12$/m);
    assert.match(plan.stdout, /^kubelet\.config\.k8s\.io +v1beta1 +v1beta1 +no$/m);
    const diff = await slipwayInProcess(['upgrade', 'diff', 'v1.36.9', ...source, '-c', '0']);
    assert.equal(diff.stdout.split('\n').filter((line) => line.startsWith('+ ')).length, 3);

    cpSync(kubeconfig, join(root, 'etc/kubernetes/admin.conf'));
    const found = await slipwayInProcess(['upgrade', 'plan', '--rootfs', root]);
    assert.match(found.stdout, /^kubelet +cp1 /m);
  });

  test('one that does not answer any more is left out, and that is said', async () => {
    const { code, stdout, stderr } = await slipwayInProcess(['upgrade', 'plan', '--rootfs', root]);
    rmSync(join(root, 'etc/kubernetes/admin.conf'));
    assert.equal(code, 0);
    assert.match(stderr, /the cluster does not answer, so only files are read/);
    assert.match(stdout, /^etcd +cp1 /m);
  });
});

suite('slipway upgrade apply and node', () => {
  for (const name of ['apply', 'node']) {
    test(`${name} is refused by name, with the next step, whatever its flags`, async () => {
      const { code, stderr } = await slipwayInProcess([
        'upgrade',
        name,
        'v1.37.2',
        '-y',
        '--dry-run',
      ]);
      assert.equal(code, 3);
      assert.match(stderr, /cli\.not-in-this-version/);
      assert.match(stderr, new RegExp(`kubeadm upgrade ${name}`));
    });
  }
});
