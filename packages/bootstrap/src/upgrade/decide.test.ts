import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { decideUpgrade, type UpgradeProposal } from './decide.ts';

const supported = { oldest: 'v1.34.4', newest: 'v1.37.2' };

function asked(given: Partial<UpgradeProposal> & { readonly target: string }) {
  const { cluster = 'v1.36.3' } = given;
  const question = { supported, kubelets: ['v1.36.3'], ...given, cluster };
  return decideUpgrade(question).map(({ level, rule }) => `${level} ${rule}`);
}

suite('decideUpgrade', () => {
  const cases = [
    { name: 'the next minor', given: { target: 'v1.37.2' }, want: [] },
    { name: 'a patch', given: { target: 'v1.36.3', cluster: 'v1.36.0' }, want: [] },
    { name: 'the version it has', given: { target: 'v1.36.3' }, want: [] },
    { name: 'without the v', given: { target: '1.37.0' }, want: [] },
    { name: 'one minor back', given: { target: 'v1.35.4' }, want: [] },
    {
      name: 'two minors at once',
      given: { target: 'v1.36.3', cluster: 'v1.34.0' },
      want: ['refused skips-minor'],
    },
    {
      name: 'two minors back',
      given: { target: 'v1.34.0' },
      want: ['refused downgrade-of-minors'],
    },
    {
      name: 'a minor that is not known yet',
      given: { target: 'v1.38.0', cluster: 'v1.37.2' },
      want: ['refused target-newer-than-slipway'],
    },
    {
      name: 'a minor that is not known any more',
      given: { target: 'v1.33.9', cluster: 'v1.34.0' },
      want: ['refused target-unsupported'],
    },
    {
      name: 'a patch that is not known yet',
      given: { target: 'v1.37.9' },
      want: ['note patch-not-known'],
    },
    {
      name: 'a preview needs leave, and skips nothing by force alone',
      given: { target: 'v1.38.0-rc.1' },
      want: ['forceable skips-minor', 'forceable target-newer-than-slipway', 'forceable unstable'],
    },
    {
      name: 'leave for release candidates covers them',
      given: { target: 'v1.37.0-rc.1', allowRCUpgrades: true },
      want: [],
    },
    {
      name: '... and nothing earlier',
      given: { target: 'v1.37.0-beta.1', allowRCUpgrades: true },
      want: ['forceable unstable'],
    },
    {
      name: 'leave for experiments covers all',
      given: { target: 'v1.37.0-alpha.1', allowExperimentalUpgrades: true },
      want: [],
    },
    {
      name: 'kubelets three minors behind',
      given: { target: 'v1.37.2', kubelets: ['v1.34.9', 'v1.36.3'] },
      want: [],
    },
    {
      name: 'kubelets four minors behind',
      given: { target: 'v1.37.2', kubelets: ['v1.33.9', 'v1.36.3', 'v1.33.9'] },
      want: ['forceable kubelets-too-old'],
    },
    {
      name: 'a kubelet whose version says nothing',
      given: { target: 'v1.37.2', kubelets: ['unknown'] },
      want: ['forceable kubelets-too-old'],
    },
    { name: 'no version', given: { target: 'latest' }, want: ['refused target-malformed'] },
    {
      name: 'an unknown cluster',
      given: { target: 'v1.37.2', cluster: '' },
      want: ['refused cluster-version-unknown'],
    },
  ];
  for (const { name, given, want } of cases) test(name, () => assert.deepEqual(asked(given), want));

  test('kubelets that nobody could ask', () => {
    const findings = decideUpgrade({ cluster: 'v1.36.3', target: 'v1.37.2', supported });
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['kubelets-unknown'],
    );
  });

  test('releases one minor or less apart, both known, are never refused; others always', () => {
    const minor = fc.integer({ min: 34, max: 37 });
    const patch = fc.nat(2);
    fc.assert(
      fc.property(minor, minor, patch, patch, (from, to, fromPatch, toPatch) => {
        const cluster = `v1.${from}.${fromPatch}`;
        const findings = asked({ cluster, target: `v1.${to}.${toPatch}`, kubelets: [cluster] });
        const isRefused = findings.some((finding) => finding.startsWith('refused'));
        assert.equal(isRefused, Math.abs(from - to) > 1);
      }),
    );
  });
});
