import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { emptyIgnitionConfig } from '@slipway/ignition';
import type { HostConfig } from '../diff/config-diff.ts';
import { policyDeclared } from './policy.ts';
import { previewPlan } from './preview.ts';

const policy = policyDeclared({
  spec: {
    nodeDisruptionPolicy: {
      files: [
        { path: '/etc/a', actions: [{ type: 'Restart', restart: { serviceName: 'a.service' } }] },
      ],
      units: [{ name: 'a.service', actions: [{ type: 'DaemonReload' }] }],
    },
  },
});

function host(paths: readonly string[], more: Partial<HostConfig> = {}): HostConfig {
  const files = paths.map((path) => ({ path }));
  return { ignition: { ...emptyIgnitionConfig, files }, kernelArguments: [], ...more };
}

suite('preview of a plan', () => {
  test('each change has its own actions, all together are ordered and inert ones are named', () => {
    const units = [{ name: 'a.service', dropins: [] }];
    const after = host(['/etc/a', '/etc/b']);
    const plan = previewPlan(
      host([]),
      { ...after, ignition: { ...after.ignition, units } },
      policy,
    );
    assert.deepEqual(
      plan.changes.map(({ name, rule, actions, inert }) => [name, rule, actions, inert]),
      [
        ['/etc/a', 'policy for /etc/a', ['Restart a.service'], false],
        ['/etc/b', 'default for files', [], true],
        ['a.service', 'policy for a.service', ['DaemonReload'], false],
      ],
    );
    assert.deepEqual(plan.actions, ['DaemonReload', 'Restart a.service']);
    assert.deepEqual([plan.drain, plan.reboot, plan.reconcilable], [false, false, true]);
    assert.deepEqual(
      plan.warnings.map(({ path, message }) => [path, message.split(':')[0]]),
      [['spec.config.storage.files[1]', '/etc/b will be inert']],
    );
  });

  test('a reboot supersedes; nothing is inert then', () => {
    const plan = previewPlan(host([]), host(['/etc/b'], { kernelArguments: ['quiet'] }), policy);
    assert.deepEqual([plan.actions, plan.drain, plan.reboot], [['Reboot'], true, true]);
    assert.deepEqual(
      plan.changes.map(({ reboot, inert }) => [reboot, inert]),
      [
        [false, false],
        [true, false],
      ],
    );
    assert.deepEqual(plan.warnings, []);
  });

  test('kernel arguments without a boot loader: told at the change and at the whole', () => {
    const after = host(['/etc/a'], { kernelArguments: ['quiet'] });
    const plan = previewPlan(host([]), after, policy, { kernelArgumentsRefusal: 'none was found' });
    assert.deepEqual(
      plan.changes.map((change) => change.reconcilable),
      [true, false],
    );
    assert.equal(plan.reconcilable, false);
    assert.match(plan.reasons[0] ?? '', /none was found/);
  });
});
