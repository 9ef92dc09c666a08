import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { suite, test } from 'node:test';
import { generatePrivateKey } from '../key/private-key.ts';
import { buildCertificate } from './build-certificate.ts';
import { basicConstraints, subjectKeyIdentifier, usageExtensions } from './extensions.ts';
import { chainsTo } from './inspect.ts';
import { issueCertificate } from './issue-certificate.ts';
import { computedIdentifier, readIssuer } from './issuer.ts';
import { derName } from './subject.ts';
import { dayMs, validityDates } from './validity.ts';

const validity = { now: Date.now(), validityMs: dayMs };

async function authorityWith(identifier: Uint8Array | undefined) {
  const key = await generatePrivateKey();
  const name = derName({ commonName: 'made by another', organizations: ['a', 'b'] });
  const extensions = [
    ...usageExtensions(['digital signature', 'cert sign']),
    basicConstraints(true),
    ...(identifier === undefined ? [] : [subjectKeyIdentifier(identifier)]),
  ];
  const dates = validityDates(validity);
  const parts = { issuer: name, subject: name, ...dates, publicKey: key, extensions };
  return { certificatePem: await buildCertificate(parts, key), key };
}

suite('what a certificate takes over from its authority', () => {
  test('is the key identifier that the authority carries, however it was computed', async () => {
    const identifier = createHash('sha256').update('any').digest().subarray(0, 20);
    const authority = await authorityWith(identifier);
    assert.deepEqual(Buffer.from(readIssuer(authority.certificatePem).keyIdentifier), identifier);
    const request = { subject: { commonName: 'x' }, usages: ['client'], validity } as const;
    const { certificatePem } = await issueCertificate(authority, request);
    // OpenSSL refuses an issuer whose identifier is another.
    assert.ok(chainsTo(certificatePem, authority.certificatePem));
  });

  test('is computed where the authority carries none', async () => {
    const authority = await authorityWith(undefined);
    const { keyIdentifier } = readIssuer(authority.certificatePem);
    assert.deepEqual(keyIdentifier, computedIdentifier(authority.key));
  });

  test('is the name, byte for byte', async () => {
    const { certificatePem } = await authorityWith(undefined);
    const { name } = readIssuer(certificatePem);
    assert.deepEqual(name, derName({ commonName: 'made by another', organizations: ['a', 'b'] }));
  });
});

test('a certificate of after 2049 and serial numbers are readable', async () => {
  const key = await generatePrivateKey();
  const name = derName({ commonName: 'x' });
  const dates = {
    notBefore: new Date('2049-12-31T23:59:59Z'),
    notAfter: new Date('2050-01-01T00:00:00Z'),
  };
  const parts = {
    issuer: name,
    subject: name,
    ...dates,
    publicKey: key,
    extensions: [basicConstraints(true)],
  };
  const serials = new Set<string>();
  for (let count = 0; count < 40; count += 1) {
    const certificate = new X509Certificate(await buildCertificate(parts, key));
    assert.deepEqual(
      [certificate.validFromDate, certificate.validToDate],
      [dates.notBefore, dates.notAfter],
    );
    assert.match(certificate.serialNumber, /^[0-9A-F]{2,16}$/);
    serials.add(certificate.serialNumber);
  }
  assert.equal(serials.size, 40);
});
