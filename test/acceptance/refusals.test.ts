import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutKubectl } from '../kit/kubectl.ts';
import { readPool, waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';

function machineConfig(config: Record<string, unknown>): string {
  return JSON.stringify({
    apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
    kind: 'MachineConfig',
    metadata: {
      name: '99-worker-wrong',
      labels: { 'machineconfiguration.alauda.io/role': 'worker' },
    },
    spec: { config: { ignition: { version: '3.4.0' }, ...config } },
  });
}

function file(entry: Record<string, unknown>): string {
  return machineConfig({
    storage: { files: [{ path: '/etc/x.conf', contents: { source: 'data:,x' }, ...entry }] },
  });
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR one';

suite('a MachineConfig with an error is refused, with path and reason', {
  skip: withoutKubectl,
}, () => {
  let cluster: TryCluster;
  let target: string | undefined;

  before(async () => {
    cluster = await TryCluster.start({ nodes: 1, controlPlanes: 1 });
    target = (await waitForPool(cluster.kubectl, 'worker', { machines: 1 })).spec?.configuration
      ?.name;
  });
  after(() => cluster[Symbol.asyncDispose]());

  const cases = [
    {
      name: 'wrong mode',
      given: file({ mode: 4095 }),
      path: 'spec.config.storage.files[0].mode',
      reason: /0?777/,
    },
    {
      name: 'unknown field',
      given: file({ moed: 420 }),
      path: 'spec.config.storage.files[0].moed',
      reason: /not a field/,
    },
    {
      name: 'bad data URL',
      given: file({ contents: { source: 'data:;base64,%%%' } }),
      path: 'spec.config.storage.files[0].contents.source',
      reason: /base64|percent|escape/,
    },
    {
      name: 'file in the root directory',
      given: file({ path: '/x.conf' }),
      path: 'spec.config.storage.files[0].path',
      reason: /root/,
    },
    {
      name: 'file in a directory that is never writable',
      given: file({ path: '/proc/sys/vm/swappiness' }),
      path: 'spec.config.storage.files[0].path',
      reason: /keeps no files/,
    },
    {
      name: 'SSH key for another user',
      given: machineConfig({ passwd: { users: [{ name: 'root', sshAuthorizedKeys: [key] }] } }),
      path: 'spec.config.passwd.users[0]',
      reason: /boot/,
    },
    {
      name: 'another Ignition version',
      given: machineConfig({ ignition: { version: '3.2.0' } }),
      path: 'spec.config.ignition',
      reason: /3\.4\.0/,
    },
  ];
  for (const { name, given, path, reason } of cases) {
    test(name, async () => {
      const result = await cluster.kubectl.try(['apply', '-f', '-'], given);
      assert.equal(result.code, 1, result.stdout);
      assert.ok(result.stderr.includes(path), `${path} in ${result.stderr}`);
      assert.match(result.stderr, reason);
    });
  }

  test('a wrong maxUnavailable and a second MachineConfiguration are refused too', async () => {
    const patch = JSON.stringify({ spec: { maxUnavailable: 'half' } });
    const pool = await cluster.kubectl.try([
      'patch',
      'machineconfigpool',
      'worker',
      '--type=merge',
      '-p',
      patch,
    ]);
    assert.match(pool.stderr, /maxUnavailable/);
    const other = {
      apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
      kind: 'MachineConfiguration',
      metadata: { name: 'other' },
      spec: { nodeDisruptionPolicy: { sshkey: { actions: [{ type: 'None' }] } } },
    };
    const second = await cluster.kubectl.try(['create', '-f', '-'], JSON.stringify(other));
    assert.match(second.stderr, /cluster/);
  });

  test('nothing changed', async () => {
    assert.doesNotMatch(await cluster.kubectl.run(['get', 'machineconfig']), /99-worker-wrong/);
    assert.equal((await readPool(cluster.kubectl, 'worker')).spec?.configuration?.name, target);
  });
});
