import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ObservedCluster } from './observed-cluster.ts';
import { imageTag } from './observed-cluster.ts';
import { type PlanRequest, planUpgrade } from './plan.ts';

/** The cluster of the recording: one node, as kubeadm v1.36.3 made it. */
const recorded: ObservedCluster = {
  components: [
    { component: 'kubelet', node: 'cp1', version: 'v1.36.3' },
    { component: 'kube-apiserver', node: 'cp1', version: 'v1.36.3' },
    { component: 'kube-controller-manager', node: 'cp1', version: 'v1.36.3' },
    { component: 'kube-scheduler', node: 'cp1', version: 'v1.36.3' },
    { component: 'etcd', node: 'cp1', version: '3.6.8-0' },
  ],
  kubeProxy: 'v1.36.3',
  coreDns: 'v1.14.2',
  configurations: [
    { group: 'kubeproxy.config.k8s.io', version: 'v1alpha1' },
    { group: 'kubelet.config.k8s.io', version: 'v1beta1' },
  ],
  problems: [],
  unknown: [],
};

const companions: PlanRequest['companions'] = (version) =>
  version.startsWith('v1.37')
    ? { etcd: '3.7.0-0', coreDns: 'v1.14.6' }
    : { etcd: '3.6.8-0', coreDns: 'v1.14.2' };

function plan(request: Partial<PlanRequest> = {}, observed: Partial<ObservedCluster> = {}) {
  return planUpgrade({ ...recorded, ...observed }, { companions, ...request });
}

suite('planUpgrade', () => {
  test('the rows that kubeadm v1.37.2 prints for a cluster of v1.36.3', () => {
    const { availableUpgrades, configVersions } = plan({ target: 'v1.37.2' });
    const [upgrade, ...others] = availableUpgrades;
    assert.deepEqual(others, []);
    assert.deepEqual(
      upgrade?.components.map(({ name, nodeName = '', currentVersion, newVersion }) =>
        [name, nodeName, currentVersion, newVersion].join(' '),
      ),
      [
        'kubelet cp1 v1.36.3 v1.37.2',
        'kube-apiserver cp1 v1.36.3 v1.37.2',
        'kube-controller-manager cp1 v1.36.3 v1.37.2',
        'kube-scheduler cp1 v1.36.3 v1.37.2',
        'kube-proxy  v1.36.3 v1.37.2',
        'CoreDNS  v1.14.2 v1.14.6',
        'etcd cp1 3.6.8-0 3.7.0-0',
      ],
    );
    assert.deepEqual(configVersions, [
      {
        group: 'kubeproxy.config.k8s.io',
        currentVersion: 'v1alpha1',
        preferredVersion: 'v1alpha1',
        manualUpgradeRequired: false,
      },
      {
        group: 'kubelet.config.k8s.io',
        currentVersion: 'v1beta1',
        preferredVersion: 'v1beta1',
        manualUpgradeRequired: false,
      },
    ]);
    assert.deepEqual(upgrade?.findings, []);
  });

  const rows = [
    { name: 'nothing asked: the newest known of the next minor', request: {}, want: ['v1.37.2'] },
    { name: 'what it runs: nothing to do', request: { target: 'v1.36.3' }, want: [] },
    { name: 'the v may be left out', request: { target: '1.37.0' }, want: ['v1.37.0'] },
  ];
  for (const { name, request, want } of rows) {
    test(name, () => {
      const targets = plan(request).availableUpgrades.map((each) => each.kubernetesVersion);
      assert.deepEqual(targets, want);
    });
  }

  test('a patch behind: its own minor and the next are on offer, each with its findings', () => {
    const components = recorded.components.map((each) =>
      each.component === 'etcd' ? each : { ...each, version: 'v1.35.0' },
    );
    const { availableUpgrades } = plan({}, { components });
    assert.deepEqual(
      availableUpgrades.map((each) => [each.description, each.kubernetesVersion]),
      [
        ['version in the v1.35 series', 'v1.35.4'],
        ['version in the v1.36 series', 'v1.36.3'],
      ],
    );
  });

  test('kubelets that are there already need no row; one that is behind brings all', () => {
    const kubelets = (...versions: readonly string[]) => ({
      components: [
        ...recorded.components.filter(({ component }) => component !== 'kubelet'),
        ...versions.map((version, index) => ({
          component: 'kubelet' as const,
          node: `n${index}`,
          version,
        })),
      ],
    });
    const count = (...versions: readonly string[]) =>
      plan({ target: 'v1.37.2' }, kubelets(...versions)).availableUpgrades[0]?.components.filter(
        ({ name }) => name === 'kubelet',
      ).length;
    assert.deepEqual([count('v1.37.2', 'v1.37.2'), count('v1.37.2', 'v1.36.0')], [0, 2]);
  });

  test('etcd may stay; an external one has no row; a disabled add-on has none', () => {
    const names = (request: Partial<PlanRequest>, observed: Partial<ObservedCluster> = {}) =>
      plan({ target: 'v1.37.2', ...request }, observed).availableUpgrades[0]?.components.map(
        ({ name }) => name,
      );
    assert.ok(!names({ etcdUpgrade: false })?.includes('etcd'));
    const external = recorded.components.filter(({ component }) => component !== 'etcd');
    assert.ok(!names({}, { components: external })?.includes('etcd'));
    const { kubeProxy: _, ...withoutProxy } = recorded;
    const made = planUpgrade(withoutProxy, { companions, target: 'v1.37.2' });
    assert.ok(!made.availableUpgrades[0]?.components.some(({ name }) => name === 'kube-proxy'));
  });

  test('the newest API server tells the version of the cluster', () => {
    const components = [
      ...recorded.components,
      { component: 'kube-apiserver' as const, node: 'cp2', version: 'v1.37.0' },
    ];
    assert.equal(plan({}, { components }).clusterVersion, 'v1.37.0');
  });

  test('a version that nobody knows is said to be unknown', () => {
    const { clusterVersion, availableUpgrades } = plan({ target: 'v1.37.2' }, { components: [] });
    assert.equal(clusterVersion, undefined);
    assert.deepEqual(
      availableUpgrades[0]?.findings.map(({ rule }) => rule),
      ['cluster-version-unknown'],
    );
  });

  test('a component configuration of another version has to be upgraded by hand', () => {
    const configurations = [{ group: 'kubelet.config.k8s.io', version: 'v1alpha1' }];
    const states = plan({}, { configurations }).configVersions;
    assert.deepEqual(
      states.map(({ currentVersion, manualUpgradeRequired }) => [
        currentVersion,
        manualUpgradeRequired,
      ]),
      [
        ['', false],
        ['v1alpha1', true],
      ],
    );
  });
});

suite('imageTag', () => {
  const cases = [
    { given: 'registry.k8s.io/etcd:3.6.8-0', want: '3.6.8-0' },
    { given: 'localhost:5000/kube-proxy:v1.37.2@sha256:00', want: 'v1.37.2' },
    { given: 'localhost:5000/kube-proxy', want: undefined },
    { given: 'registry.k8s.io/etcd@sha256:00', want: undefined },
  ];
  for (const { given, want } of cases) test(given, () => assert.equal(imageTag(given), want));
});
