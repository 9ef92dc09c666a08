import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createSimulatedHost, type HostPath } from '@slipway/host';
import { parse } from 'yaml';
import { kubernetesPaths } from '../facts/paths.ts';
import { bareGround } from '../testing/bare-ground.ts';
import { configurationText, settledInit } from '../testing/settled-init.ts';
import { hostKubeletConfiguration } from './kubelet-configuration.ts';
import { writeKubeletFiles } from './write-kubelet-files.ts';

const ground = bareGround();
const reporter = { phase: () => {}, problem: () => {}, line: () => {} };
const paths = [
  kubernetesPaths.kubeletFlags,
  kubernetesPaths.kubeletInstanceConfiguration,
  kubernetesPaths.kubeletConfiguration,
];

function inodes(): readonly (readonly [number, number])[] {
  return paths.map((path) => {
    const { ino, mtimeMs } = statSync(join(ground.root, path));
    return [ino, mtimeMs];
  });
}

async function content(path: string): Promise<unknown> {
  return parse(Buffer.from(await ground.files.read(path)).toString('utf8'));
}

suite('writeKubeletFiles', () => {
  test('the socket is of the node, all else of the cluster; what is right is not touched', async () => {
    const settings = await settledInit(configurationText(), ground);
    const order = { ground, reporter, registerTaints: false, patches: [] };
    await writeKubeletFiles(settings, order);
    const socket = { containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock' };
    assert.deepEqual(await content(kubernetesPaths.kubeletInstanceConfiguration), socket);
    const written = (await content(kubernetesPaths.kubeletConfiguration)) as object;
    assert.deepEqual({ ...written, ...socket }, written);
    for (const path of paths) assert.equal((await ground.files.stat(path))?.mode, 0o644);

    const before = inodes();
    await writeKubeletFiles(settings, order);
    assert.deepEqual(inodes(), before);

    const patch = {
      target: 'kubeletconfiguration',
      kind: 'merge',
      file: '/p/kubeletconfiguration+merge.yaml',
      position: { line: 1, column: 1 },
      content: { maxPods: 33, containerRuntimeEndpoint: 'unix:///elsewhere' },
    } as const;
    await writeKubeletFiles(settings, { ...order, patches: [patch] });
    assert.deepEqual(await content(kubernetesPaths.kubeletConfiguration), {
      ...written,
      maxPods: 33,
    });
    assert.deepEqual(inodes().slice(0, 2), before.slice(0, 2));
    assert.notDeepEqual(inodes()[2], before[2]);
  });
});

suite('writeKubeletFiles of a cluster whose nodes do not keep their socket', () => {
  test('there is no instance-config.yaml, and config.yaml names none', async () => {
    const own = bareGround();
    const settings = await settledInit(configurationText(), own);
    const { files } = own;
    const cluster = {
      ...settings.cluster,
      kubernetesVersion: 'v1.35.4',
      featureGates: { NodeLocalCRISocket: false },
    };
    await writeKubeletFiles(
      { ...settings, cluster },
      { ground: own, reporter, registerTaints: false, patches: [] },
    );
    assert.equal(await files.stat(kubernetesPaths.kubeletInstanceConfiguration), undefined);
    const read = async (path: HostPath) => Buffer.from(await files.read(path)).toString();
    const written = parse(await read(kubernetesPaths.kubeletConfiguration));
    assert.equal(written.containerRuntimeEndpoint, '');
    assert.match(
      await read(kubernetesPaths.kubeletFlags),
      /--container-runtime-endpoint=unix:\/\/\/run\/containerd\/containerd\.sock/,
    );
  });
});

suite('hostKubeletConfiguration', () => {
  test('where systemd-resolved runs, pods ask the servers that it asks', async () => {
    const host = await createSimulatedHost({
      directory: join(ground.root, 'simulated'),
      name: 'cp1',
      onReboot: () => {},
    });
    await host.powerOn();
    const { systemd, files } = host;
    assert.deepEqual(await hostKubeletConfiguration({}, { systemd }), {});
    const unit = '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n';
    const attributes = { mode: 0o644, uid: 0, gid: 0 };
    await files.write(
      '/etc/systemd/system/systemd-resolved.service',
      Buffer.from(unit),
      attributes,
    );
    await systemd.daemonReload();
    await systemd.start('systemd-resolved.service');
    assert.deepEqual(await hostKubeletConfiguration({}, { systemd }), {
      resolvConf: '/run/systemd/resolve/resolv.conf',
    });
    const own = { resolvConf: '/etc/own.conf' };
    assert.deepEqual(await hostKubeletConfiguration(own, { systemd }), own);
    assert.deepEqual(await hostKubeletConfiguration({}, {}), {});
    await host.powerOff();
  });
});
