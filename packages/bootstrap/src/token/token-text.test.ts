import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCertificateAuthority,
  dayMs,
  parseBootstrapToken,
  type TokenRecord,
} from '@slipway/pki';
import { authorityPins } from '../discovery/pins.ts';
import { joinCommand, joinTarget } from './join-command.ts';
import { tokenObject, tokenRow } from './token-views.ts';

const now = Date.UTC(2026, 10, 30, 21, 57, 0);
const token = parseBootstrapToken('abcdef.0123456789abcdef');
const group = 'system:bootstrappers:kubeadm:default-node-token';
const stamp = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

// What the real kubeadm listed for these tokens.
const views: readonly {
  name: string;
  given: TokenRecord;
  row: readonly string[];
  object: Record<string, unknown>;
}[] = [
  {
    name: 'described and ending',
    given: {
      token,
      description: 'hello',
      expiresAt: Date.UTC(2026, 10, 30, 23, 56, 15),
      usages: ['signing', 'authentication'],
      groups: [group],
    },
    row: ['1h', '2026-11-30T23:56:15Z', 'authentication,signing', 'hello', group],
    object: {
      description: 'hello',
      expires: '2026-11-30T23:56:15Z',
      usages: ['authentication', 'signing'],
      groups: [group],
    },
  },
  {
    name: 'for ever',
    given: { token, usages: ['signing', 'authentication'], groups: [group] },
    row: ['<forever>', '<never>', 'authentication,signing', '<none>', group],
    object: { usages: ['authentication', 'signing'], groups: [group] },
  },
  {
    name: 'good for nothing but to end',
    given: { token, description: 'Proxy', expiresAt: now + 1000, usages: [], groups: [] },
    row: ['1s', stamp(now + 1000), '<none>', 'Proxy', '<none>'],
    object: { description: 'Proxy', expires: stamp(now + 1000) },
  },
];
for (const { name, given, row, object } of views) {
  test(`view of a token: ${name}`, () => {
    assert.deepEqual(tokenRow(given, now), ['abcdef.0123456789abcdef', ...row]);
    assert.deepEqual(tokenObject(given), {
      kind: 'BootstrapToken',
      apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
      token: 'abcdef.0123456789abcdef',
      ...object,
    });
  });
}

const left = [
  { given: -1, want: '<expired>' },
  { given: 0, want: '0s' },
  { given: 59_999, want: '59s' },
  { given: 60_000, want: '1m' },
  { given: 3_600_000, want: '1h' },
  { given: dayMs, want: '1d' },
  { given: 365 * dayMs, want: '1y' },
];
for (const { given, want } of left) {
  test(`${given} ms left are ${want}`, () => {
    assert.equal(tokenRow({ token, expiresAt: now + given }, now)[1], want);
  });
}

const base = {
  endpoint: 'api.example:6443',
  token: 'abcdef.0123456789abcdef',
  pins: ['sha256:aa'],
};
const worker =
  'slipway join api.example:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:aa';
const commands = [
  { name: 'worker', given: base, want: worker },
  {
    name: 'two authorities',
    given: { ...base, pins: ['sha256:aa', 'sha256:bb'] },
    want: `${worker} --discovery-token-ca-cert-hash sha256:bb`,
  },
  {
    name: 'control plane without key',
    given: { ...base, controlPlane: true },
    want: `${worker} --control-plane`,
  },
  {
    name: 'control plane with key',
    given: { ...base, certificateKey: '00' },
    want: `${worker} --control-plane --certificate-key 00`,
  },
];
for (const { name, given, want } of commands) {
  test(`join command: ${name}`, () => {
    assert.equal(joinCommand(given), want);
    const block = joinCommand(given, 'block');
    assert.equal(block.replaceAll(' \\\n\t', ' '), want);
    assert.match(block, /^slipway join \S+ --token \S+ \\\n\t--discovery-token-ca-cert-hash/);
  });
}

test('the join target is server and authorities of the kubeconfig', async () => {
  const validity = { now: Date.now(), validityMs: dayMs };
  const { certificatePem: pem } = await createCertificateAuthority({ commonName: 'k', validity });
  const cluster = { name: 'k', server: 'https://[fd00::1]:6443', certificateAuthority: { pem } };
  const context = { name: 'a@k', cluster: 'k', user: 'a' };
  const whole = { clusters: [cluster], users: [], contexts: [context], currentContext: 'a@k' };
  assert.deepEqual(joinTarget(whole), { endpoint: '[fd00::1]:6443', pins: authorityPins(pem) });
  const { certificateAuthority: _authority, ...bare } = cluster;
  for (const broken of [
    { ...whole, contexts: [] },
    { ...whole, clusters: [bare] },
  ]) {
    assert.throws(() => joinTarget(broken), { code: 'bootstrap.token.join-command' });
  }
});
