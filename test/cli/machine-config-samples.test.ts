import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import {
  configFile,
  example,
  examplesDirectory,
  machineConfig,
  renderedFile,
} from '../kit/machine-config.ts';

/** What examples/README.md promises of each sample. */
const samples = [
  { file: '99-worker-chrony.yaml', actions: ['DaemonReload', 'Restart chronyd.service'] },
  { file: '99-worker-disable-chrony.yaml', actions: ['DaemonReload'] },
  { file: '99-worker-ssh.yaml', actions: [] },
  { file: '99-worker-ssh-user-alias.yaml', actions: [], warning: 'ignition.user-alias' },
  { file: '99-worker-sysctl.yaml', actions: ['Restart systemd-sysctl.service'] },
  {
    file: '99-worker-firewall.yaml',
    actions: ['DaemonReload', 'Restart open-node-ports.service'],
  },
  { file: '99-worker-script.yaml', actions: ['Reboot'], disrupts: true },
  // A policy for its path is not among the samples: the file is there and nothing is told of it.
  { file: 'infra-pool.yaml', pool: 'infra', actions: [], inert: '/etc/motd.d/infra' },
] as const;

suite('samples, offline', () => {
  let current: string;
  before(async () => {
    const empty = configFile('00-worker', { config: { ignition: { version: '3.4.0' } } });
    current = await renderedFile('worker', [empty]);
  });

  test('every sample is here', () => {
    const found = readdirSync(examplesDirectory).filter((name) => name.endsWith('.yaml'));
    assert.deepEqual(
      new Set(found),
      new Set(['00-policy.yaml', ...samples.map(({ file }) => file)]),
    );
  });

  test('all validate, in one call', async () => {
    const files = ['00-policy.yaml', ...samples.map(({ file }) => file)].map(example);
    const { code, stdout, stderr } = await machineConfig(['validate', '-o', 'json', ...files]);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    for (const { file, ok, findings } of report.files) {
      const sample = samples.find((one) => example(one.file) === file);
      const wanted = sample !== undefined && 'warning' in sample ? [sample.warning] : [];
      assert.equal(ok, true);
      assert.deepEqual(
        findings.map((finding: { code: string }) => finding.code),
        wanted,
        file,
      );
    }
  });

  for (const sample of samples) {
    const pool = 'pool' in sample ? sample.pool : 'worker';
    test(`${sample.file} renders and plans as the README says`, async () => {
      const desired = await renderedFile(pool, [example(sample.file)]);
      const { code, stdout, stderr } = await machineConfig([
        'plan',
        '--current',
        current,
        '--desired',
        desired,
        '--policy',
        example('00-policy.yaml'),
        '-o',
        'json',
      ]);
      assert.equal(code, 0, stderr);
      const plan = JSON.parse(stdout);
      const disrupts = 'disrupts' in sample;
      assert.deepEqual(
        [plan.actions, plan.drain, plan.reboot, plan.reconcilable],
        [sample.actions, disrupts, disrupts, true],
      );
      assert.deepEqual(
        plan.warnings.map(({ message }: { message: string }) => message.split(' ')[0]),
        'inert' in sample ? [sample.inert] : [],
      );
    });
  }
});
