import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { JsonObject } from '@slipway/base';
import { kubeSchedulerPod } from '../manifest/kube-scheduler.ts';
import { patchedPod } from '../manifest/patched-pod.ts';
import { bareGround } from '../testing/bare-ground.ts';
import { configurationText, settledInit } from '../testing/settled-init.ts';
import { applyPatches } from './apply-patches.ts';
import { loadPatches } from './load-patches.ts';
import type { PatchKind } from './patch-file-name.ts';

type Files = Readonly<Record<string, string>>;

/** What `kubeadm init phase control-plane scheduler --patches` wrote, or that it failed. */
const recorded = JSON.parse(
  readFileSync(new URL('testdata/patched-v1.37.2.json', import.meta.url), 'utf8'),
) as {
  readonly patched: readonly {
    readonly name: string;
    readonly files: Files;
    readonly pod: JsonObject;
  }[];
  readonly refused: readonly { readonly name: string; readonly files: Files }[];
};

const ground = bareGround();
const settings = await settledInit(configurationText(), ground);
const pod = kubeSchedulerPod(settings, {
  existingFolders: [],
  proxyEnvironment: [],
  isExternalAuthority: false,
});

let directories = 0;

/** The patches of a directory with these files. */
async function loaded(files: Files) {
  directories += 1;
  const directory = `/patches-${directories}`;
  const attributes = { uid: 0, gid: 0 };
  await ground.files.makeDirectory(directory, { mode: 0o755, ...attributes });
  for (const [name, text] of Object.entries(files)) {
    await ground.files.write(`${directory}/${name}`, Buffer.from(text), {
      mode: 0o644,
      ...attributes,
    });
  }
  return (await loadPatches(ground.files, directory)).patches;
}

suite('applyPatches', () => {
  for (const { name, files, pod: want } of recorded.patched) {
    test(`as kubeadm: ${name}`, async () => {
      assert.deepEqual(patchedPod('kube-scheduler', pod, await loaded(files)), want);
    });
  }

  for (const { name, files } of recorded.refused) {
    test(`refused as by kubeadm: ${name}`, async () => {
      await assert.rejects(
        async () => patchedPod('kube-scheduler', pod, await loaded(files)),
        /kube-scheduler(?:\+\w+)?\.yaml:\d+:\d+/,
      );
    });
  }

  test('the patches of another target change nothing', async () => {
    const patches = await loaded({ 'etcd.yaml': 'metadata: null\n' });
    assert.deepEqual(applyPatches('kube-scheduler', pod, patches), pod);
  });

  const hostile: readonly {
    readonly name: string;
    readonly kind: PatchKind;
    readonly text: string;
  }[] = [
    { name: 'a prototype by merge', kind: 'merge', text: '{"__proto__": {"polluted": true}}' },
    { name: 'a prototype', kind: 'strategic', text: '{"__proto__": {"polluted": true}}' },
    {
      name: 'a prototype of a constructor',
      kind: 'strategic',
      text: '{"constructor": {"prototype": {"polluted": true}}}',
    },
    {
      name: 'a prototype by JSON patch',
      kind: 'json',
      text: '[{"op": "add", "path": "/__proto__/polluted", "value": true}]',
    },
    {
      name: 'a constructor by JSON patch',
      kind: 'json',
      text: '[{"op": "add", "path": "/constructor/prototype/polluted", "value": true}]',
    },
    {
      name: 'a prototype in a value',
      kind: 'json',
      text: '[{"op": "add", "path": "/metadata/annotations", "value": {"__proto__": {"polluted": true}}}]',
    },
    {
      name: 'an index that would take all memory',
      kind: 'json',
      text: '[{"op": "add", "path": "/spec/containers/4294967294", "value": {}}]',
    },
    {
      name: 'an index that is no index',
      kind: 'json',
      text: '[{"op": "replace", "path": "/spec/containers/length", "value": 0}]',
    },
    {
      name: 'an index with a leading zero',
      kind: 'json',
      text: '[{"op": "replace", "path": "/spec/containers/00", "value": {}}]',
    },
    {
      name: 'into itself',
      kind: 'json',
      text: '[{"op": "move", "from": "/spec", "path": "/spec/containers/0/x"}]',
    },
  ];
  for (const { name, kind, text } of hostile) {
    test(`hostile: ${name}`, async () => {
      const before = structuredClone(pod);
      try {
        patchedPod('kube-scheduler', pod, await loaded({ [`kube-scheduler+${kind}.yaml`]: text }));
      } catch (error) {
        assert.match(String((error as { code?: string }).code), /^bootstrap\.patches\./);
      }
      assert.deepEqual(pod, before);
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    });
  }
});
