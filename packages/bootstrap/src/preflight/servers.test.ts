import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import { after, before, describe, test } from 'node:test';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import { clockSkew } from './check/clock-skew.ts';
import { externalEtcdVersion } from './check/external-etcd-version.ts';
import { found } from './testing/described-host.ts';

describe('a server that is asked', () => {
  const served = { etcd: '3.6.8', date: 'Tue, 01 Dec 2026 12:00:00 GMT' };
  const files: Record<string, string> = {};
  const certificates = { caFile: '/ca.crt', certFile: '/client.crt', keyFile: '/client.key' };
  let server: Server | undefined;
  let endpoint = '';

  before(async () => {
    const validity = { now: Date.now(), validityMs: dayMs };
    const keyType = 'ecdsa-p256' as const;
    const authority = await createCertificateAuthority({ commonName: 'x', keyType, validity });
    const issue = async (usage: 'server' | 'client') =>
      await issueCertificate(authority, {
        subject: { commonName: usage },
        ipAddresses: ['127.0.0.1'],
        usages: [usage],
        validity,
        keyType,
      });
    const own = await issue('server');
    const client = await issue('client');
    files['/ca.crt'] = authority.certificatePem;
    files['/client.crt'] = client.certificatePem;
    files['/client.key'] = encodePrivateKey(client.key).reveal();
    const started = createServer(
      {
        cert: own.certificatePem,
        key: encodePrivateKey(own.key).reveal(),
        ca: authority.certificatePem,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => {
        response.setHeader('date', served.date);
        const isKnown = 'authorized' in request.socket && request.socket.authorized === true;
        response.end(isKnown ? JSON.stringify({ etcdserver: served.etcd }) : '{}');
      },
    );
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const address = started.address();
    assert.ok(address !== null && typeof address === 'object');
    endpoint = `127.0.0.1:${address.port}`;
    server = started;
  });
  after(() => server?.close());

  const etcd = () => externalEtcdVersion({ endpoints: [`https://${endpoint}/`], ...certificates });

  for (const { version, want } of [
    { version: '3.6.8', want: [] },
    { version: '3.5.24', want: [] },
    { version: '3.5.23', want: [/^error: etcd at \S+ is 3\.5\.23; 3\.5\.24 is the oldest/] },
    { version: 'not etcd', want: [/^error: .*"not etcd"/] },
  ]) {
    test(`ExternalEtcdVersion: ${version}`, async () => {
      served.etcd = version;
      const findings = await found(etcd(), { files });
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }

  const minute = 60_000;
  for (const { name, skew, want } of [
    { name: 'clocks agree', skew: 0, want: [] },
    { name: 'a few seconds', skew: 9_000, want: [] },
    { name: 'a minute behind', skew: -minute, want: [/^warning: .*60 seconds behind/] },
    { name: 'five minutes', skew: 5 * minute, want: [/^warning: .*5 minutes ahead/] },
    { name: 'an hour behind', skew: -60 * minute, want: [/^error: .*60 minutes behind/] },
    { name: 'a day ahead', skew: 24 * 60 * minute, want: [/^error: .*24 hours ahead/] },
  ]) {
    test(`ClockSkew: ${name}`, async () => {
      const now = Date.parse(served.date) + skew;
      const findings = await found(clockSkew(endpoint), { now });
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }

  test('ClockSkew: nobody answers', async () => {
    const findings = await found(clockSkew('127.0.0.1:1'), {});
    assert.match(findings.join('\n'), /^warning: .*127\.0\.0\.1:1 cannot be asked: .*ECONNREFUSED/);
  });
});
