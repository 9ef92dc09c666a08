import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCertificateAuthority,
  createCertificateSigningRequest,
  dayMs,
  encodePem,
  encodePublicKey,
  generatePrivateKey,
  inspectCertificate,
  type KeyType,
  readCertificateSigningRequest,
  requirePemBlock,
  signCertificateSigningRequest,
} from '../index.ts';

const subject = { commonName: 'system:node:worker-1', organizations: ['system:nodes'] };

for (const keyType of ['ecdsa-p256', 'rsa-2048'] satisfies KeyType[]) {
  test(`a ${keyType} request is read back`, async () => {
    const key = await generatePrivateKey(keyType);
    const names = { dnsNames: ['worker-1'], ipAddresses: ['10.0.0.7'] };
    const request = await readCertificateSigningRequest(
      await createCertificateSigningRequest(key, subject, names),
    );
    assert.deepEqual(request, {
      subject,
      names,
      otherNames: [],
      publicKeyPem: encodePublicKey(key),
    });
  });
}

const addresses = [
  { name: 'IPv4', given: '10.0.0.7', want: '10.0.0.7' },
  { name: 'IPv6, short', given: '::1', want: '::1' },
  { name: 'IPv6, gap in the middle', given: 'fd00::a:b', want: 'fd00::a:b' },
  { name: 'IPv6, full', given: '2001:db8:1:2:3:4:5:6', want: '2001:db8:1:2:3:4:5:6' },
  { name: 'IPv6, gap at the end', given: 'fd00::', want: 'fd00::' },
];
for (const { name, given, want } of addresses) {
  test(`address: ${name}`, async () => {
    const key = await generatePrivateKey();
    const pem = await createCertificateSigningRequest(key, subject, { ipAddresses: [given] });
    const { names } = await readCertificateSigningRequest(pem);
    const canonical = names.ipAddresses.map((address) =>
      new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname.replace(
        /[[\]]/g,
        '',
      ),
    );
    assert.deepEqual(canonical, [want]);
  });
}

test('an address that is none is refused', async () => {
  const key = await generatePrivateKey();
  await assert.rejects(createCertificateSigningRequest(key, subject, { ipAddresses: ['x'] }), {
    code: 'pki.request.address',
  });
});

test('a long subject has a long length', async () => {
  const long = { commonName: 'n'.repeat(300), organizations: ['ö'.repeat(200)] };
  const pem = await createCertificateSigningRequest(await generatePrivateKey(), long);
  assert.deepEqual((await readCertificateSigningRequest(pem)).subject, long);
});

test('a request that was changed after signing is refused', async () => {
  const pem = await createCertificateSigningRequest(await generatePrivateKey(), subject);
  const { label, der } = requirePemBlock(pem, 'CERTIFICATE REQUEST');
  const at = Buffer.from(der).indexOf('worker-1');
  const changed = Uint8Array.from(der);
  changed[at] = 'W'.charCodeAt(0);
  await assert.rejects(readCertificateSigningRequest(encodePem(label, changed)), {
    code: 'pki.request.signature',
  });
});

const refused = [
  { name: 'no PEM', given: 'nonsense', want: 'pki.pem.malformed' },
  {
    name: 'another block',
    given: encodePem('CERTIFICATE', new Uint8Array([48, 0])),
    want: 'pki.pem.malformed',
  },
  {
    name: 'not ASN.1',
    given: encodePem('CERTIFICATE REQUEST', new Uint8Array([1, 2, 3])),
    want: 'pki.request.unreadable',
  },
];

for (const { name, given, want } of refused) {
  test(`refused: ${name}`, async () => {
    await assert.rejects(readCertificateSigningRequest(given), { code: want });
  });
}

test('a signed request carries its subject and the asked usages only', async () => {
  const now = Date.now();
  const authority = await createCertificateAuthority({
    commonName: 'kubernetes',
    validity: { now, validityMs: 10 * dayMs },
  });
  const pem = await createCertificateSigningRequest(await generatePrivateKey(), subject);
  const certificate = await signCertificateSigningRequest(authority, pem, {
    usages: ['digital signature', 'client auth'],
    validityMs: dayMs,
    now,
  });
  const summary = inspectCertificate(certificate);
  assert.equal(summary.commonName, subject.commonName);
  assert.deepEqual(summary.organizations, subject.organizations);
  assert.deepEqual(summary.extendedUsages, ['client auth']);
  await assert.rejects(
    signCertificateSigningRequest(authority, pem, { usages: ['cert sign'], validityMs: 1, now }),
    { code: 'pki.usage.unknown' },
  );
});
