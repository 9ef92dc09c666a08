import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  createCertificateAuthority,
  createCertificateSigningRequest,
  dayMs,
  encodePrivateKey,
  generatePrivateKey,
  inspectCertificate,
  isIssuedBy,
  issueCertificate,
  type KeyType,
  loadCertificateAndKey,
  publicKeyPin,
  signCertificateSigningRequest,
} from '../index.ts';

const keyTypes: readonly KeyType[] = ['ecdsa-p256', 'ecdsa-p384', 'rsa-2048', 'rsa-3072'];
const now = Date.now();
const validity = { now, validityMs: 365 * dayMs };

async function makeAuthority(keyType: KeyType = 'ecdsa-p256', validityMs = 3650 * dayMs) {
  return await createCertificateAuthority({
    commonName: 'kubernetes',
    keyType,
    validity: { now, validityMs },
  });
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

for (const keyType of keyTypes) {
  describe(`certificates with ${keyType}`, () => {
    test('a serving certificate says what was asked for', async () => {
      const authority = await makeAuthority(keyType);
      const issued = await issueCertificate(authority, {
        subject: { commonName: 'kube-apiserver', organizations: ['a, b', 'c'] },
        dnsNames: ['localhost', 'kubernetes.default.svc'],
        ipAddresses: ['127.0.0.1', 'fd00::1'],
        usages: ['server'],
        validity,
        keyType,
      });
      const summary = inspectCertificate(issued.certificatePem);
      assert.deepEqual(
        { ...summary, serialNumber: '', publicKeyPin: '' },
        {
          commonName: 'kube-apiserver',
          organizations: ['a, b', 'c'],
          issuerCommonName: 'kubernetes',
          dnsNames: ['localhost', 'kubernetes.default.svc'],
          ipAddresses: ['127.0.0.1', 'fd00::1'],
          notBefore: Math.floor(now / 1000) * 1000 - 300_000,
          notAfter: Math.floor(now / 1000) * 1000 + 365 * dayMs,
          serialNumber: '',
          isAuthority: false,
          extendedUsages: ['server auth'],
          publicKeyPin: '',
        },
      );
      assert.ok(isIssuedBy(issued.certificatePem, authority.certificatePem));
    });

    test('openssl accepts the chain strictly', {
      skip: hasOpenssl() ? false : 'openssl is not on the PATH',
    }, async () => {
      const authority = await makeAuthority(keyType);
      const server = await issueCertificate(authority, {
        subject: { commonName: 'kube-apiserver' },
        dnsNames: ['localhost'],
        ipAddresses: ['127.0.0.1', '::1'],
        usages: ['server'],
        validity,
        keyType,
      });
      const key = await generatePrivateKey(keyType);
      const subject = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
      const client = await signCertificateSigningRequest(
        authority,
        await createCertificateSigningRequest(key, subject),
        { ...validity, usages: ['digital signature', 'client auth'] },
      );
      const namesake = await issueCertificate(authority, {
        subject: { commonName: 'kubernetes' },
        usages: ['client'],
        validity,
        keyType,
      });
      const folder = mkdtempSync(join(tmpdir(), 'slipway-pki-'));
      try {
        const file = (name: string, content: string) => {
          writeFileSync(join(folder, name), content);
          return join(folder, name);
        };
        const ca = file('ca.crt', authority.certificatePem);
        const cases = [
          ['sslserver', file('server.crt', server.certificatePem), '-verify_ip', '127.0.0.1'],
          ['sslserver', file('server.crt', server.certificatePem), '-verify_ip', '::1'],
          ['sslserver', file('server.crt', server.certificatePem), '-verify_hostname', 'localhost'],
          ['sslclient', file('client.crt', client)],
          ['sslclient', file('namesake.crt', namesake.certificatePem)],
        ] as const;
        for (const [purpose, leaf, ...rest] of cases) {
          const flags = ['verify', '-x509_strict', '-purpose', purpose, ...rest, '-CAfile', ca];
          const answer = execFileSync('openssl', [...flags, leaf], { encoding: 'utf8' });
          assert.match(answer, /: OK$/m);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    test('key files come back in every encoding', async () => {
      const authority = await makeAuthority(keyType);
      const encodings = keyType.startsWith('rsa')
        ? (['pkcs8', 'pkcs1'] as const)
        : (['pkcs8', 'sec1'] as const);
      for (const encoding of encodings) {
        const pem = encodePrivateKey(authority.key, encoding);
        assert.equal(`${pem}`, '***');
        const loaded = loadCertificateAndKey(authority.certificatePem, pem);
        assert.ok(loaded.key.equals(authority.key), encoding);
      }
    });
  });
}

test('a certificate never outlives its authority', async () => {
  const authority = await makeAuthority('ecdsa-p256', 10 * dayMs);
  const issued = await issueCertificate(authority, {
    subject: { commonName: 'x' },
    usages: ['client'],
    validity,
  });
  const authorityEnd = inspectCertificate(authority.certificatePem).notAfter;
  assert.equal(inspectCertificate(issued.certificatePem).notAfter, authorityEnd);
});

test('an expired authority signs nothing', async () => {
  const authority = await makeAuthority('ecdsa-p256', dayMs);
  await assert.rejects(
    issueCertificate(authority, {
      subject: { commonName: 'x' },
      usages: ['client'],
      validity: { now: now + 2 * dayMs, validityMs: dayMs },
    }),
    { code: 'pki.authority.expired' },
  );
});

test('a key of another certificate is refused', async () => {
  const [one, other] = [await makeAuthority(), await makeAuthority()];
  assert.throws(() => loadCertificateAndKey(one.certificatePem, encodePrivateKey(other.key)), {
    code: 'pki.key.mismatch',
  });
});

test('a pin is the digest of the key, so it survives renewal with the same key', async () => {
  const authority = await makeAuthority();
  assert.match(publicKeyPin(authority.certificatePem), /^sha256:[0-9a-f]{64}$/);
  assert.notEqual(
    publicKeyPin(authority.certificatePem),
    publicKeyPin((await makeAuthority()).certificatePem),
  );
});
