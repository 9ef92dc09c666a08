import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isJsonObject, type JsonObject } from '@slipway/base';
import { parse, stringify } from 'yaml';
import { recordedControlPlane, recordedManifest } from '../testing/recorded-control-plane.ts';
import { diffManifests } from './diff-manifests.ts';
import { observeFiles } from './observe-files.ts';

const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

/** The recorded pod with another version in its image. */
function target(name: string, version: string): { component: string; pod: JsonObject } {
  return {
    component: name,
    pod: parse(recordedManifest(name).replace(/(image: .*:).*/, `$1${version}`)),
  };
}

suite('observeFiles', () => {
  test('the static pods of the node, and what stays unknown', async () => {
    using host = recordedControlPlane();
    const { components, unknown } = await observeFiles(host.files, 'cp1');
    assert.deepEqual(
      components.map(({ component, node, version }) => [component, node, version]),
      [
        ['kube-apiserver', 'cp1', 'v1.36.3'],
        ['kube-controller-manager', 'cp1', 'v1.36.3'],
        ['kube-scheduler', 'cp1', 'v1.36.3'],
        ['etcd', 'cp1', '3.6.8-0'],
      ],
    );
    assert.equal(unknown.length, 3);
  });

  test('no manifests: a worker, or the wrong folder', async () => {
    using host = recordedControlPlane(() => undefined);
    const { components, unknown } = await observeFiles(host.files, 'w1');
    assert.deepEqual(components, []);
    assert.match(unknown.join('\n'), /version of the control plane: .*no readable kube-apiserver/);
  });

  const broken = [
    { name: 'no YAML', text: 'a: [', want: /version of etcd: .*is not YAML/ },
    { name: 'no image', text: 'kind: Pod', want: /version of etcd: .*names no image with a tag/ },
    {
      name: 'an image by digest',
      text: stringify({ spec: { containers: [{ image: 'etcd@sha256:00' }] } }),
      want: /version of etcd: .*names no image with a tag/,
    },
  ];
  for (const { name, text, want } of broken) {
    test(`${name} is said`, async () => {
      using host = recordedControlPlane((each) =>
        each === 'etcd' ? text : recordedManifest(each),
      );
      const { components, unknown } = await observeFiles(host.files, 'cp1');
      assert.equal(components.length, 3);
      assert.match(unknown.join('\n'), want);
    });
  }
});

suite('diffManifests', () => {
  test('a newer image, at the line where it stands in the file of kubeadm', async () => {
    using host = recordedControlPlane();
    const [difference] = await diffManifests(host.files, [target('kube-scheduler', 'v1.36.9')], 0);
    const at =
      recordedManifest('kube-scheduler')
        .split('\n')
        .findIndex((line) => /image:/.test(line)) + 1;
    assert.deepEqual(difference?.lines, [
      '--- /etc/kubernetes/manifests/kube-scheduler.yaml',
      '+++ new manifest',
      `@@ -${at} +${at} @@`,
      '-    image: registry.k8s.io/kube-scheduler:v1.36.3',
      '+    image: registry.k8s.io/kube-scheduler:v1.36.9',
    ]);
  });

  test('nothing changes: no lines, for all components', async () => {
    using host = recordedControlPlane();
    const targets = names.map((component) => ({
      component,
      pod: parse(recordedManifest(component)),
    }));
    const lines = (await diffManifests(host.files, targets, 3)).map((each) => each.lines);
    assert.deepEqual(lines, [[], [], [], []]);
  });

  test('order, comments, an empty status and no creation do not count', async () => {
    using host = recordedControlPlane((name) => {
      const pod: unknown = parse(recordedManifest(name));
      assert.ok(isJsonObject(pod));
      const { spec, metadata, ...rest } = pod;
      const old = { creationTimestamp: null, ...(metadata as object) };
      return `# mine\n${stringify({ status: {}, spec, metadata: old, ...rest })}`;
    });
    const targets = [{ component: 'etcd', pod: parse(recordedManifest('etcd')) }];
    const [difference] = await diffManifests(host.files, targets, 3);
    assert.deepEqual(difference?.lines, []);
  });

  const refused = [
    { name: 'missing', text: undefined, want: /no such file/ },
    { name: 'not YAML', text: 'a: [', want: /read manifest .*etcd.yaml: / },
    { name: 'no object', text: '- a', want: /holds no object/ },
  ];
  for (const { name, text, want } of refused) {
    test(`a manifest that is ${name} is refused`, async () => {
      using host = recordedControlPlane((each) =>
        each === 'etcd' ? text : recordedManifest(each),
      );
      await assert.rejects(diffManifests(host.files, [target('etcd', '1')], 3), {
        code: 'bootstrap.upgrade.no-manifest',
        message: want,
      });
    });
  }
});
