import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { cgroupDriver } from '../check/cgroup-driver.ts';
import { containerRuntimeVersion } from '../check/container-runtime-version.ts';
import { cri } from '../check/cri.ts';
import { imagePull } from '../check/image-pull.ts';
import { sandboxImage } from '../check/sandbox-image.ts';
import type { Check } from '../check.ts';
import { found } from '../testing/described-host.ts';
import { type RuntimeDescription, startRuntime } from '../testing/described-runtime.ts';
import { createContainerRuntime } from './container-runtime.ts';

const pauseImage = 'mirror.example.com/pause:3.10.2';
const used = 'registry.k8s.io/pause:3.10.2';
const cgroupfs = {
  '/etc/containerd/config.toml': 'version = 2\n',
};

const cases: readonly {
  readonly name: string;
  readonly runtime: RuntimeDescription;
  readonly check: (socket: string) => Check;
  readonly want: readonly RegExp[];
}[] = [
  { name: 'ready, without a network', runtime: {}, check: cri, want: [] },
  {
    name: 'not ready',
    runtime: { isReady: false },
    check: cri,
    want: [/^error: .*RuntimeReady is false: Because/],
  },
  {
    name: 'tells its driver',
    runtime: { cgroupDriver: 'systemd' },
    check: containerRuntimeVersion,
    want: [],
  },
  {
    name: 'does not tell its driver',
    runtime: {},
    check: containerRuntimeVersion,
    want: [/^warning: .*RuntimeConfig/],
  },
  {
    name: 'tells its driver, whatever its file says',
    runtime: { cgroupDriver: 'cgroupfs' },
    check: (socket) => cgroupDriver(socket, undefined),
    want: [],
  },
  {
    name: 'does not tell its driver: the file counts',
    runtime: {},
    check: (socket) => cgroupDriver(socket, undefined),
    want: [/^error: .*containerd cgroupfs/],
  },
  {
    name: 'of version 2, without an image in its files, where there is a mirror',
    runtime: { cgroupDriver: 'systemd' },
    check: (socket) => sandboxImage({ socket, pauseImage }),
    want: [/^warning: .*takes pause of registry\.k8s\.io; .*mirror\.example\.com/],
  },
  {
    name: 'of version 2, without an image in its files',
    runtime: { cgroupDriver: 'systemd' },
    check: (socket) => sandboxImage({ socket, pauseImage: used }),
    want: [],
  },
  {
    name: 'tells another image, from another registry',
    runtime: { sandboxImage: used },
    check: (socket) => sandboxImage({ socket, pauseImage }),
    want: [/^error: .*another registry/],
  },
  {
    name: 'tells another image and has it',
    runtime: { sandboxImage: used, images: [used] },
    check: (socket) => sandboxImage({ socket, pauseImage }),
    want: [/^warning: /],
  },
];

describe('a container runtime', () => {
  for (const { name, runtime, check, want } of cases) {
    test(name, async () => {
      await using described = await startRuntime(runtime);
      const findings = await found(check(described.socket), {
        kubelet: 'v1.37.2',
        files: cgroupfs,
      });
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }

  test('nobody listens', async () => {
    const socket = 'unix:///nowhere/cri.sock';
    for (const check of [cri(socket), containerRuntimeVersion(socket)]) {
      const findings = await found(check, { kubelet: 'v1.37.2' });
      assert.match(findings.join('\n'), /^error: .*\/nowhere\/cri\.sock: .*ENOENT/);
      assert.match((await found(check, {})).join('\n'), /^warning: not checked/);
    }
  });

  test('something else listens', async () => {
    await using described = await startRuntime({});
    const path = `${described.socket.replace('unix://', '')}.txt`;
    writeFileSync(path, '');
    const findings = await found(cri(path), { kubelet: 'v1.37.2' });
    assert.match(findings.join('\n'), /^error: .*ECONNREFUSED/);
  });

  test('a pod that is gone is stopped', async () => {
    await using described = await startRuntime({ pods: { a: 0 } });
    const runtime = createContainerRuntime(described.socket);
    await runtime.stopPod('gone');
    assert.deepEqual(await runtime.pods(), ['a']);
  });

  for (const isSerial of [true, false]) {
    test(`pulls what it has not, ${isSerial ? 'one by one' : 'all at once'}`, async () => {
      await using described = await startRuntime({ images: ['a'], registry: ['b', 'c'] });
      const request = { socket: described.socket, images: ['a', 'b', 'x', 'c'], isSerial };
      const pull = (policy: 'Always' | 'IfNotPresent' | 'Never') =>
        found(imagePull({ ...request, policy }), { kubelet: 'v1.37.2' });
      const findings = await pull('IfNotPresent');
      assert.equal(findings.length, 1);
      assert.match(findings[0] ?? '', /^error: x cannot be pulled: .*x: not found/);
      assert.deepEqual(new Set(described.pulled), new Set(['b', 'c', 'x']));
      assert.equal((await pull('Always')).length, 2);
      const before = described.pulled.length;
      assert.deepEqual(await pull('Never'), []);
      assert.equal(described.pulled.length, before);
    });
  }

  test('a registry that stumbles is asked again, as often as kubeadm does', async () => {
    const refusals = { a: 4, b: 5 };
    await using described = await startRuntime({ registry: ['a', 'b'], refusals });
    const request = { socket: described.socket, images: ['a', 'b'], isSerial: true };
    const findings = await found(imagePull({ ...request, policy: 'Always' }), {
      kubelet: 'v1.37.2',
    });
    assert.equal(described.pulled.length, 10);
    assert.match(findings.join('\n'), /^error: b cannot be pulled: [^\n]*$/);
  });

  test('an image that the runtime cannot look for is pulled', async () => {
    await using described = await startRuntime({ registry: ['a'], isImageStatusBroken: true });
    const request = { socket: described.socket, images: ['a'], isSerial: true };
    const check = imagePull({ ...request, policy: 'IfNotPresent' });
    assert.deepEqual(await found(check, { kubelet: 'v1.37.2' }), []);
  });

  test('where a folder is the root, what was not pulled is named', async () => {
    const request = {
      socket: '/x',
      images: ['a:1'],
      policy: 'IfNotPresent',
      isSerial: true,
    } as const;
    const [finding = ''] = await found(imagePull(request), {});
    assert.match(finding, /^warning: .*a:1/);
  });
});
