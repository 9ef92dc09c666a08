import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCertificateAuthority } from '../certificate/certificate-authority.ts';
import { chainsTo, inspectCertificate } from '../certificate/inspect.ts';
import { issueCertificate } from '../certificate/issue-certificate.ts';
import { dayMs } from '../certificate/validity.ts';
import { generatePrivateKey } from '../key/private-key.ts';
import { type ControlPlaneIdentity, certificateSpecs } from './certificate-specs.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/);
const domainName = fc
  .array(label, { minLength: 1, maxLength: 3 })
  .map((labels) => labels.join('.'));
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const san = fc.oneof(
  address,
  domainName,
  domainName.map((name) => `*.${name}`),
);
const sans = fc.array(san, { maxLength: 4 });

const identities: fc.Arbitrary<ControlPlaneIdentity> = fc.record(
  {
    nodeName: domainName,
    dnsDomain: domainName,
    serviceAddress: address,
    advertiseAddress: address,
    controlPlaneHost: fc.oneof(address, domainName),
    certSANs: sans,
    etcdServerSANs: sans,
    etcdPeerSANs: sans,
    minor: fc.integer({ min: 34, max: 37 }),
    hasLocalEtcd: fc.boolean(),
  },
  {
    requiredKeys: [
      'nodeName',
      'dnsDomain',
      'serviceAddress',
      'advertiseAddress',
      'certSANs',
      'etcdServerSANs',
      'etcdPeerSANs',
      'minor',
      'hasLocalEtcd',
    ],
  },
);

test('every identity gives a tree that verifies and names all that it has to', async () => {
  const now = Date.now();
  const key = await generatePrivateKey();
  await fc.assert(
    fc.asyncProperty(identities, async (identity) => {
      const authorities = new Map<string, Awaited<ReturnType<typeof createCertificateAuthority>>>();
      for (const spec of certificateSpecs(identity)) {
        const validity = { now, validityMs: dayMs };
        if (spec.authority === undefined) {
          const { commonName } = spec.subject;
          authorities.set(
            spec.name,
            await createCertificateAuthority({ commonName, validity, key }),
          );
          continue;
        }
        const authority = authorities.get(spec.authority);
        assert.ok(authority, `${spec.authority} comes before ${spec.name}`);
        const { certificatePem } = await issueCertificate(authority, { ...spec, validity, key });
        assert.ok(chainsTo(certificatePem, authority.certificatePem), spec.name);
        const summary = inspectCertificate(certificatePem);
        assert.deepEqual(summary.dnsNames, spec.dnsNames);
        assert.deepEqual(summary.ipAddresses, spec.ipAddresses);
        const certificate = new X509Certificate(certificatePem);
        for (const ip of spec.ipAddresses) assert.ok(certificate.checkIP(ip), `${spec.name} ${ip}`);
      }
    }),
    { numRuns: 40 },
  );
});
