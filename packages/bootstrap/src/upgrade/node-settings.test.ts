import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { silentLogger, systemClock } from '@slipway/base';
import { describedMachine, type HostFiles } from '@slipway/host';
import { recordedControlPlane, recordedManifest } from '../testing/recorded-control-plane.ts';
import type { Ground } from '../workflow/ground.ts';
import { documentKinds, readNodeFacts, settleControlPlane } from './node-settings.ts';

function groundOf(files: HostFiles): Ground {
  const machine = describedMachine({ hostname: 'somewhere' });
  return { files, machine, clock: systemClock, logger: silentLogger, variables: {} };
}

suite('readNodeFacts', () => {
  test('name and endpoint as the manifests have them, not as the machine would', async () => {
    using host = recordedControlPlane();
    assert.deepEqual(await readNodeFacts(groundOf(host.files)), {
      name: 'cp1',
      endpoint: { advertiseAddress: '10.20.0.11', bindPort: 6443 },
    });
  });

  test('with an external etcd, the machine tells the name', async () => {
    using host = recordedControlPlane((name) =>
      name === 'etcd' ? undefined : recordedManifest(name),
    );
    assert.equal((await readNodeFacts(groundOf(host.files))).name, 'somewhere');
  });

  test('no control plane: no endpoint', async () => {
    using host = recordedControlPlane(() => undefined);
    assert.deepEqual(await readNodeFacts(groundOf(host.files)), { name: 'somewhere' });
  });
});

suite('settleControlPlane', () => {
  const cluster = [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: ClusterConfiguration',
    'kubernetesVersion: v1.36.3',
  ].join('\n');
  const facts = { name: 'cp1', endpoint: { advertiseAddress: '10.20.0.11', bindPort: 7443 } };

  test('a ClusterConfiguration alone is completed by what the node is', async () => {
    using host = recordedControlPlane();
    const { value, issues } = await settleControlPlane(cluster, groundOf(host.files), facts);
    assert.deepEqual(issues, []);
    assert.deepEqual(value?.init.localAPIEndpoint, facts.endpoint);
    assert.equal(value?.init.nodeRegistration.name, 'cp1');
    assert.equal(value?.cluster.kubernetesVersion, 'v1.36.3');
  });

  test('the node wins over an InitConfiguration that was written for another', async () => {
    using host = recordedControlPlane();
    const init = [
      'apiVersion: kubeadm.k8s.io/v1beta4',
      'kind: InitConfiguration',
      'localAPIEndpoint: {advertiseAddress: 10.9.9.9}',
      'nodeRegistration: {name: other, criSocket: "unix:///run/x.sock"}',
    ].join('\n');
    const text = `${init}\n---\n${cluster}\n`;
    const { value } = await settleControlPlane(text, groundOf(host.files), facts);
    assert.deepEqual(value?.init.localAPIEndpoint, facts.endpoint);
    assert.equal(value?.init.nodeRegistration.name, 'cp1');
    assert.equal(value?.init.nodeRegistration.criSocket, 'unix:///run/x.sock');
  });
});

suite('documentKinds', () => {
  const cases = [
    { name: 'several', given: 'kind: A\n---\nkind: B\n', want: ['A', 'B'] },
    { name: 'JSON', given: '{"kind": "A"}', want: ['A'] },
    { name: 'none', given: '', want: [] },
    { name: 'no kind, no object', given: 'a: b\n---\n- c\n', want: [] },
    { name: 'a broken one among others', given: 'kind: A\n---\nkind: [', want: ['A'] },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.deepEqual(documentKinds(given), want));
});
