import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import type { ControlPlaneComponent } from '../facts/paths.ts';
import { bareGround } from '../testing/bare-ground.ts';
import { configurationText, settledInit } from '../testing/settled-init.ts';
import { etcdPod } from './etcd.ts';
import { proxyEnvironment } from './static-pod.ts';
import { controlPlanePod } from './static-pods.ts';
import type { Surroundings } from './surroundings.ts';

/** `kubeadm init phase control-plane all` and `etcd local`, with the environment of `variables`. */
type Recording = {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly configuration: string;
  readonly pods: Readonly<Record<ControlPlaneComponent | 'etcd', JsonObject>>;
};

const file = new URL('testdata/static-pods-v1.37.2.json', import.meta.url);
const { existingFolders, recordings } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly existingFolders: readonly string[];
  readonly recordings: readonly Recording[];
};

const surroundings: Surroundings = {
  existingFolders: [],
  proxyEnvironment: [],
  isExternalAuthority: false,
};

const ground = bareGround();

type Container = {
  readonly command: readonly string[];
  readonly livenessProbe: { readonly httpGet: Readonly<Record<string, unknown>> };
  readonly ports: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
};

function containerOf(pod: JsonObject): Container {
  const { containers } = pod['spec'] as unknown as { readonly containers: readonly Container[] };
  const [container] = containers;
  assert.ok(container !== undefined);
  return container;
}

suite('static pods', () => {
  for (const { name, variables, configuration, pods } of recordings) {
    for (const [component, want] of Object.entries(pods)) {
      test(`${name}: ${component} is that of kubeadm`, async () => {
        const settings = await settledInit(configuration, ground);
        const around = {
          existingFolders,
          proxyEnvironment: proxyEnvironment(variables),
          isExternalAuthority: false,
        };
        assert.deepEqual(podOf(component, settings, around), want);
      });
    }
  }

  test('an external authority signs nothing in the cluster', async () => {
    const settings = await settledInit(configurationText(), ground);
    const pod = podOf('kube-controller-manager', settings, {
      ...surroundings,
      isExternalAuthority: true,
    });
    const { command } = containerOf(pod);
    assert.ok(command.includes('--cluster-signing-cert-file='));
    assert.ok(command.includes('--cluster-signing-key-file='));
  });

  const minors = [
    { version: 'v1.34.4', want: true },
    { version: 'v1.35.4', want: true },
    { version: 'v1.36.3', want: false },
    { version: 'v1.37.2', want: false },
  ];
  for (const { version, want } of minors) {
    test(`the controller manager of ${version} ${want ? 'mounts' : 'does not mount'} flexvolumes`, async () => {
      const text = configurationText().replace('v1.37.2', version);
      const pod = podOf('kube-controller-manager', await settledInit(text, ground), surroundings);
      const { volumeMounts } = containerOf(pod);
      assert.equal(
        volumeMounts.some((mount) => mount.name === 'flexvolume-dir'),
        want,
      );
    });
  }

  const metricsUrls = [
    { given: 'http://0.0.0.0:2391', host: '0.0.0.0', port: 2391, scheme: 'HTTP' },
    { given: 'https://[::1]:2391', host: '::1', port: 2391, scheme: 'HTTPS' },
    {
      given: 'http://10.20.0.11:1,http://127.0.0.1:2',
      host: '10.20.0.11',
      port: 1,
      scheme: 'HTTP',
    },
    { given: 'http://10.20.0.11:80', host: '10.20.0.11', port: 80, scheme: 'HTTP' },
    { given: 'https://etcd.test:443/', host: 'etcd.test', port: 443, scheme: 'HTTPS' },
    { given: 'https://10.20.0.11:70000', host: '10.20.0.11', port: 2381, scheme: 'HTTPS' },
    { given: 'not an address', host: '127.0.0.1', port: 2381, scheme: 'HTTP' },
    { given: '', host: '127.0.0.1', port: 2381, scheme: 'HTTP' },
  ];
  for (const { given, port, ...want } of metricsUrls) {
    test(`etcd with listen-metrics-urls ${JSON.stringify(given)} is probed there`, async () => {
      const argument = `{name: listen-metrics-urls, value: ${JSON.stringify(given)}}`;
      const text = configurationText(`etcd: {local: {extraArgs: [${argument}]}}\n`);
      const container = containerOf(etcdPod(await settledInit(text, ground)));
      const { host, scheme } = container.livenessProbe.httpGet;
      assert.deepEqual({ host, scheme }, want);
      assert.deepEqual(container.ports[0]?.containerPort, port);
    });
  }

  test('an etcd that joins names all members, as they are known, and that they run', async () => {
    const settings = await settledInit(configurationText(), ground);
    const members = [
      { name: 'cp0', peerUrl: 'https://10.20.0.10:2380' },
      { name: 'cp1', peerUrl: 'https://10.20.0.11:2380' },
    ];
    const { command } = containerOf(etcdPod(settings, members));
    assert.ok(
      command.includes('--initial-cluster=cp0=https://10.20.0.10:2380,cp1=https://10.20.0.11:2380'),
    );
    assert.ok(command.includes('--initial-cluster-state=existing'));
  });

  for (const component of ['kube-apiserver', 'etcd']) {
    test(`RootlessControlPlane: ${component} is refused by name`, async () => {
      const text = configurationText('featureGates: {RootlessControlPlane: true}\n');
      const settings = await settledInit(text, ground);
      assert.throws(() => podOf(component, settings, surroundings), {
        code: 'bootstrap.manifest.rootless',
        message: new RegExp(`${component}.*RootlessControlPlane`),
      });
    });
  }

  test('etcd that is external has no manifest', async () => {
    const text = configurationText('etcd: {external: {endpoints: ["http://10.30.0.1:2379"]}}\n');
    const settings = await settledInit(text, ground);
    assert.throws(() => etcdPod(settings), { code: 'bootstrap.manifest.etcd' });
  });
});

function podOf(component: string, settings: InitSettings, around: Surroundings): JsonObject {
  if (component === 'etcd') return etcdPod(settings);
  return controlPlanePod(component as ControlPlaneComponent, settings, around);
}
