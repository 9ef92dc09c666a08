import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCertificateAuthority,
  dayMs,
  parseBootstrapToken,
  signatureKey,
  signDetached,
} from '@slipway/pki';
import { isSignedBy, isSignedByAny, verifiedKubeconfig } from './cluster-info.ts';
import { authorityPins } from './pins.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');
const other = parseBootstrapToken('abcdef.fedcba9876543210');
const kubeconfig = 'apiVersion: v1\nkind: Config\n';

function clusterInfo(signature: string) {
  return { data: { kubeconfig, [signatureKey(token.id)]: signature } };
}

test('the signed text is given out', () => {
  const signed = clusterInfo(signDetached(kubeconfig, token));
  assert.ok(isSignedBy(signed, token));
  assert.ok(isSignedByAny(signed));
  assert.equal(verifiedKubeconfig(signed, token), kubeconfig);
});

test('an empty signature is none', () => {
  assert.ok(!isSignedBy(clusterInfo(''), token));
  assert.ok(!isSignedByAny({ data: { kubeconfig } }));
});

const refused = [
  { name: 'signed by another secret', given: clusterInfo(signDetached(kubeconfig, other)) },
  { name: 'signature of another text', given: clusterInfo(signDetached('x', token)) },
  { name: 'no signature', given: { data: { kubeconfig } } },
  { name: 'nothing at all', given: {} },
];
for (const { name, given } of refused) {
  test(`refused: ${name}`, () => {
    assert.throws(() => verifiedKubeconfig(given, token), {
      code: 'bootstrap.discovery.signature',
    });
  });
}

test('a pin tells a wrong secret from another cluster', async () => {
  const validity = { now: Date.now(), validityMs: dayMs };
  const { certificatePem } = await createCertificateAuthority({
    commonName: 'kubernetes',
    validity,
  });
  const given = clusterInfo(signDetached(kubeconfig, other));
  const pins = authorityPins(certificatePem);
  assert.throws(() => verifiedKubeconfig(given, token, { pins, authorityPem: certificatePem }), {
    message: /the secret part of the token is wrong/,
  });
  const elsewhere = { pins: [`sha256:${'0'.repeat(64)}`], authorityPem: certificatePem };
  assert.throws(() => verifiedKubeconfig(given, token, elsewhere), { message: /another cluster/ });
});
