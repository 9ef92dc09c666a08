import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCertificateAuthority,
  dayMs,
  parseBootstrapToken,
  publicKeyPin,
  signatureKey,
  signDetached,
} from '@slipway/pki';
import { checkPins, isSignedBy, matchesPins, verifiedKubeconfig } from './cluster-info.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');
const other = parseBootstrapToken('abcdef.fedcba9876543210');
const kubeconfig = 'apiVersion: v1\nkind: Config\n';

function clusterInfo(signature: string) {
  return { data: { kubeconfig, [signatureKey(token.id)]: signature } };
}

test('the signed text is given out', () => {
  const signed = clusterInfo(signDetached(kubeconfig, token));
  assert.ok(isSignedBy(signed, token));
  assert.equal(verifiedKubeconfig(signed, token), kubeconfig);
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

test('one pin of several is enough, in any case; none is none', async () => {
  const validity = { now: Date.now(), validityMs: dayMs };
  const [one, two] = [
    await createCertificateAuthority({ commonName: 'kubernetes', validity }),
    await createCertificateAuthority({ commonName: 'kubernetes', validity }),
  ];
  const bundle = one.certificatePem + two.certificatePem;
  const pin = publicKeyPin(two.certificatePem);
  assert.ok(matchesPins(bundle, ['sha256:00', pin.toUpperCase()]));
  assert.throws(() => checkPins(one.certificatePem, [pin]), { code: 'bootstrap.discovery.pin' });
  assert.throws(() => checkPins(bundle, []), { code: 'bootstrap.discovery.pin' });
});
