import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { nodes } from '@slipway/api';
import { silentLogger, systemClock } from '@slipway/base';
import { createRootFolderFiles, describedMachine, type HostFiles } from '@slipway/host';
import type { KubeClient } from '@slipway/kube';
import type { InitSettings } from '../config/configuration.ts';
import { settleInit } from '../config/settle-init.ts';
import { readHostKubeconfig } from '../tls-bootstrap/kubelet-credentials.ts';
import { createDryRunClient } from '../workflow/dry-run-client.ts';
import type { Ground } from '../workflow/ground.ts';
import { allPhases } from '../workflow/plan.ts';
import { runWorkflow } from '../workflow/runner.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import type { InitData } from './data.ts';
import { initPhases } from './phases.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-resume-'));
after(() => rmSync(base, { recursive: true, force: true }));

const configuration = `
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens: [{token: abcdef.0123456789abcdef}]
nodeRegistration: {ignorePreflightErrors: [all]}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

/** A control plane that nobody starts is not waited for. */
const skip = ['wait-control-plane'];

let count = 0;
function newRoot(): { readonly root: string; readonly files: HostFiles } {
  count += 1;
  const root = mkdtempSync(join(base, `root${count}-`));
  const files = createRootFolderFiles({ root, userId: process.geteuid?.() ?? 0 });
  assert.ok(files !== undefined);
  return { root, files };
}

function groundOf(files: HostFiles): Ground {
  const machine = describedMachine({ userId: 0 });
  return { files, machine, clock: systemClock, logger: silentLogger, variables: {} };
}

/** A cluster that remembers what it was given: what a dry run keeps is enough of one. */
function newCluster(): KubeClient {
  const { reporter } = recordingReporter();
  const node = { resource: nodes, object: { metadata: { name: 'cp1' } } };
  return createDryRunClient({ reporter, substitutes: [node] });
}

async function settings(files: HostFiles): Promise<InitSettings> {
  const settled = await settleInit({ text: configuration, ground: groundOf(files) });
  assert.ok(settled.value !== undefined, JSON.stringify(settled.issues));
  return settled.value;
}

type Run = { readonly stopAfter?: string };

async function init(files: HostFiles, client: KubeClient, { stopAfter }: Run = {}): Promise<void> {
  const { reporter } = recordingReporter();
  const ground = groundOf(files);
  const stop = new AbortController();
  const data: InitData = {
    settings: await settings(files),
    ground,
    machineGround: ground,
    reporter,
    patches: [],
    certificateKey: () => '0'.repeat(64),
    access: {
      client: async () => client,
      kubeconfig: async () => {
        const kubeconfig = await readHostKubeconfig(files, '/etc/kubernetes/admin.conf');
        assert.ok(kubeconfig !== undefined);
        return kubeconfig;
      },
      calls: { clock: systemClock, timeoutMs: 0 },
      close: () => undefined,
    },
    options: {
      isDryRun: false,
      uploadCertificates: true,
      skipTokenPrint: false,
      skipCertificateKeyPrint: false,
      kubeconfig: '/etc/kubernetes/admin.conf',
      kubeconfigDirectory: '/etc/kubernetes',
      printManifest: false,
    },
  };
  await runWorkflow({
    phases: initPhases,
    selection: { skip },
    data,
    reporter,
    signal: stop.signal,
    afterPhase: async (name) => {
      if (name === stopAfter) stop.abort(new Error('stopped'));
    },
  });
}

/** Content, inode and time of every file, by path; temporaries of a broken write are not counted. */
function snapshot(root: string): ReadonlyMap<string, string> {
  const paths = (readdirSync(root, { recursive: true }) as string[]).filter(
    (path) => statSync(join(root, path)).isFile() && !/\/\.[^/]*$/.test(`/${path}`),
  );
  return new Map(
    paths.map((path) => {
      const { ino, mtimeMs } = statSync(join(root, path));
      return [path, `${ino} ${mtimeMs} ${readFileSync(join(root, path)).toString('base64')}`];
    }),
  );
}

function assertKept(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
  for (const [path, state] of before) assert.equal(now.get(path), state, `${path} was touched`);
}

/** The real files, which fail at write number `failing`. */
function failingFiles(files: HostFiles, failing: number): HostFiles {
  let writes = 0;
  return new Proxy(files, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'write' && name !== 'commit') return member.bind(target);
      return async (...parameters: unknown[]) => {
        writes += 1;
        if (writes === failing) throw new Error(`write ${failing} failed`);
        return member.apply(target, parameters);
      };
    },
  });
}

suite('init, broken off and run again', () => {
  test('a second run touches nothing that is right', async () => {
    const { root, files } = newRoot();
    const client = newCluster();
    await init(files, client);
    const first = snapshot(root);
    await init(files, client);
    const second = snapshot(root);
    assert.deepEqual([...second.keys()], [...first.keys()]);
    assertKept(first, second);
  });

  const names = allPhases(initPhases)
    .filter(({ phase }) => phase.run !== undefined)
    .map(({ path }) => path.join('/'))
    .filter((name) => !skip.includes(name));

  for (const name of names.slice(0, -1)) {
    test(`after ${name}`, async () => {
      const { root, files } = newRoot();
      const client = newCluster();
      await assert.rejects(init(files, client, { stopAfter: name }), /interrupted/);
      const before = snapshot(root);
      await init(files, client);
      const now = snapshot(root);
      assertKept(before, now);
      assert.ok(now.has('etc/kubernetes/manifests/kube-scheduler.yaml'));
    });
  }

  test('at any write of a file', async () => {
    for (let failing = 1; ; failing += 3) {
      const { root, files } = newRoot();
      const client = newCluster();
      let failed = false;
      await init(failingFiles(files, failing), client).catch(() => {
        failed = true;
      });
      if (!failed) {
        assert.ok(failing > 30, `only ${failing} writes`);
        return;
      }
      const before = snapshot(root);
      await init(files, client);
      assertKept(before, snapshot(root));
    }
  });
});
