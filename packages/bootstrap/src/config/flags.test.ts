import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasErrors } from '@slipway/base';
import { describedMachine } from '@slipway/host';
import { bareGround } from '../testing/bare-ground.ts';
import { flagsMixedWithConfig, ignoredChecks } from './flags.ts';
import { settleInit } from './settle-init.ts';

suite('flags of init', () => {
  const ground = bareGround(describedMachine({ hostname: 'CP-1' }));

  test('only some go with --config', () => {
    const given = ['config', 'token', 'skip-phases', 'node-name', 'cert-dir', 'dry-run'];
    assert.deepEqual(flagsMixedWithConfig(given), ['cert-dir', 'token']);
    assert.deepEqual(flagsMixedWithConfig(['token', 'cert-dir']), []);
  });

  test('checks to ignore are united, in lower case; all stands alone', () => {
    assert.deepEqual(ignoredChecks(['Swap'], ['Mem', 'swap']).ignored, ['mem', 'swap']);
    assert.deepEqual(ignoredChecks([], ['All']).findings, []);
    assert.equal(ignoredChecks(['all'], ['Swap']).findings.length, 1);
  });

  test('without anything the machine decides', async () => {
    const { value } = await settleInit({ ground });
    assert.equal(value?.init.nodeRegistration.name, 'cp-1');
    assert.equal(value?.init.localAPIEndpoint.advertiseAddress, '10.20.0.11');
    assert.equal(value?.cluster.kubernetesVersion, 'v1.37.2');
    assert.match(value?.init.bootstrapTokens[0]?.token ?? '', /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
  });

  for (const { name, nodeIp } of [
    { name: 'an address', nodeIp: '10.20.0.11' },
    { name: 'a range', nodeIp: '10.20.0.0/16' },
    { name: 'an interface', nodeIp: 'eth0' },
  ]) {
    test(`--node-ip as ${name} drives the API server and the kubelet`, async () => {
      const { value } = await settleInit({ ground, flags: { nodeIp } });
      assert.equal(value?.init.localAPIEndpoint.advertiseAddress, '10.20.0.11');
      const expected = [{ name: 'node-ip', value: '10.20.0.11' }];
      assert.deepEqual(value?.init.nodeRegistration.kubeletExtraArgs, expected);
    });
  }

  for (const nodeIp of ['10.99.0.0/16', 'eth9', '10.20.0.0/99']) {
    test(`--node-ip ${nodeIp} is refused with what there is`, async () => {
      const { value, issues } = await settleInit({ ground, flags: { nodeIp } });
      assert.equal(value, undefined);
      assert.ok(hasErrors(issues));
      assert.match(issues[0]?.hint ?? '', /10\.20\.0\.11 \(eth0\)/);
    });
  }

  test('--token-ttl that is no duration is a finding', async () => {
    const { value, issues } = await settleInit({ ground, flags: { tokenTtl: 'soon' } });
    assert.equal(value, undefined);
    assert.deepEqual(
      issues.map(({ code, path }) => `${path} ${code}`),
      ['bootstrapTokens[0].ttl bootstrap.config.duration'],
    );
  });
});
