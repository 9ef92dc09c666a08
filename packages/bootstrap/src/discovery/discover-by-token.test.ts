import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import {
  createCertificateAuthority,
  dayMs,
  generateBootstrapToken,
  signatureKey,
} from '@slipway/pki';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { clusterInfoKubeconfig } from './cluster-kubeconfig.ts';
import { discoverCluster } from './discover-by-token.ts';

const token = generateBootstrapToken();
const unknownToken = generateBootstrapToken();
const otherPin = `sha256:${'0'.repeat(64)}`;
const hourMs = 3_600_000;

function request(cluster: JoinableCluster) {
  return {
    endpoint: cluster.endpoint,
    pins: [cluster.pin],
    token,
    clock: systemClock,
    timeoutMs: 150,
  };
}

suite('discovery by token', () => {
  test('the server is the one of cluster-info; it is read twice', async () => {
    await using cluster = await startJoinableCluster(token);
    const bare = cluster.endpoint.replace('https://', '');
    const found = await discoverCluster({ ...request(cluster), endpoint: bare });
    assert.equal(found.server, cluster.endpoint);
    assert.equal(found.certificateAuthorityPem.trim(), cluster.authorityPem.trim());
    assert.equal(cluster.asked.length, 2);
  });

  test('without pins, and only when that is asked for, it is read once', async () => {
    await using cluster = await startJoinableCluster(token);
    const unsafe = { ...request(cluster), pins: [] };
    await assert.rejects(discoverCluster(unsafe), { code: 'bootstrap.discovery.pin' });
    assert.equal(cluster.asked.length, 0);
    await discoverCluster({ ...unsafe, unsafeSkipCAVerification: true });
    assert.equal(cluster.asked.length, 1);
  });

  test('a signature that comes later is waited for, and the wait is told', async () => {
    await using cluster = await startJoinableCluster(token);
    const told: string[] = [];
    cluster.clusterInfo = (right, reads) => {
      if (reads === 1) return 404;
      return reads < 4 ? { data: { kubeconfig: right.data?.['kubeconfig'] ?? '' } } : right;
    };
    const waiting = { timeoutMs: 10_000, onWait: (text: string) => told.push(text) };
    await discoverCluster({ ...request(cluster), ...waiting });
    assert.equal(told.length, 2);
    assert.match(told[1] ?? '', /not signed for token/);
  });

  for (const answer of [null, [], 'x', { data: [] }, { data: { kubeconfig: 7 } }]) {
    test(`an answer that is no ConfigMap is not signed: ${JSON.stringify(answer)}`, async () => {
      await using cluster = await startJoinableCluster(token);
      cluster.clusterInfo = () => answer as object;
      await assert.rejects(discoverCluster(request(cluster)), {
        code: 'bootstrap.discovery.unsigned',
      });
    });
  }

  test('a signature that is no text is none', async () => {
    await using cluster = await startJoinableCluster(token);
    const data = { kubeconfig: 7, [signatureKey(token.id)]: { a: 1 } };
    cluster.clusterInfo = () => ({ data }) as object;
    await assert.rejects(discoverCluster(request(cluster)), {
      code: 'bootstrap.discovery.unsigned',
    });
  });

  const failures = [
    {
      name: 'another pin',
      change: { pins: [otherPin] },
      code: 'bootstrap.discovery.pin',
      message: /matches none of sha256:0/,
    },
    {
      name: 'an unknown or expired token',
      change: { token: unknownToken },
      code: 'bootstrap.discovery.token-unknown',
      message: /expired, was deleted or is of another cluster/,
    },
    {
      name: 'another cluster, with this token id',
      change: { token: { id: token.id, secret: unknownToken.secret }, pins: [otherPin] },
      code: 'bootstrap.discovery.signature',
      message: /another cluster/,
    },
    {
      name: 'a wrong secret part',
      change: { token: { id: token.id, secret: unknownToken.secret } },
      code: 'bootstrap.discovery.signature',
      message: /secret part of the token is wrong/,
    },
  ];
  for (const { name, change, code, message } of failures) {
    test(`refused: ${name}`, async () => {
      await using cluster = await startJoinableCluster(token);
      const attempt = discoverCluster({ ...request(cluster), ...change });
      await assert.rejects(attempt, { code, message });
    });
  }

  test('an unknown token is not waited for to the end, where others sign', async () => {
    await using cluster = await startJoinableCluster(token);
    // A thousand times as fast: half a minute of grace is 30 ms, five minutes would be 300 ms.
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 1000 };
    const { timeoutMs: _default, ...patient } = request(cluster);
    const before = clock.monotonic();
    await assert.rejects(discoverCluster({ ...patient, token: unknownToken, clock }), {
      code: 'bootstrap.discovery.token-unknown',
    });
    assert.ok(clock.monotonic() - before < 300_000);
  });

  test('a token that is accepted but signs nothing', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.clusterInfo = (right) => ({ data: { kubeconfig: right.data?.['kubeconfig'] ?? '' } });
    await assert.rejects(discoverCluster(request(cluster)), {
      code: 'bootstrap.discovery.unsigned',
      message: /is accepted, but signs nothing/,
    });
  });

  test('the token is shown to nobody who cannot prove to be pinned', async () => {
    const validity = { now: Date.now(), validityMs: dayMs };
    const { certificatePem } = await createCertificateAuthority({ commonName: 'real', validity });
    await using real = await startJoinableCluster(token);
    await using thief = await startJoinableCluster(unknownToken);
    // The authority of the real cluster is public: a thief can claim it beside its own.
    thief.clusterInfo = () => ({
      data: {
        kubeconfig: clusterInfoKubeconfig({
          server: thief.endpoint,
          certificateAuthorityPem: real.authorityPem + thief.authorityPem + certificatePem,
        }),
      },
    });
    await assert.rejects(discoverCluster({ ...request(real), endpoint: thief.endpoint }));
    assert.deepEqual(new Set(thief.credentials), new Set([undefined]));
  });

  test('what the second read changes is not believed', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.clusterInfo = (right, reads) =>
      reads === 1 ? right : { data: { kubeconfig: `${right.data?.['kubeconfig']}# ` } };
    await assert.rejects(discoverCluster(request(cluster)), {
      code: 'bootstrap.discovery.changed',
    });
  });

  test('cluster-info without a cluster', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.clusterInfo = () => cluster.signed('apiVersion: v1\nkind: Config\n');
    await assert.rejects(discoverCluster(request(cluster)), {
      code: 'bootstrap.discovery.malformed',
    });
  });

  test('a clock that is behind fails at once and tells by how much', async () => {
    const validity = { now: Date.now() + 3 * hourMs, validityMs: dayMs };
    await using cluster = await startJoinableCluster(token, { validity });
    await assert.rejects(discoverCluster({ ...request(cluster), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.clock',
      message: /2h5\dm after the time of this host/,
    });
  });

  test('so does an expired certificate of the server', async () => {
    const now = Date.now() - 3 * dayMs;
    const servingValidity = { now, validityMs: dayMs };
    const validity = { now, validityMs: 30 * dayMs };
    await using cluster = await startJoinableCluster(token, { validity, servingValidity });
    await assert.rejects(discoverCluster({ ...request(cluster), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.clock',
      message: /certificate of the server expired at .*2d(?:\ds)? before/,
    });
  });

  test('an address that the certificate does not name: certSANs and how to make them', async () => {
    await using cluster = await startJoinableCluster(token, { addresses: ['10.0.0.1'] });
    await assert.rejects(discoverCluster({ ...request(cluster), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.address',
      message: /not for 127\.0\.0\.1, only for 10\.0\.0\.1; .*certSANs.*init phase certs apiserver/,
    });
  });

  test('a server that answers nobody anonymous fails at once', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.clusterInfo = () => 401;
    await assert.rejects(discoverCluster({ ...request(cluster), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.anonymous',
    });
  });

  test('what speaks no TLS fails at once', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const endpoint = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const pins = [otherPin];
    await assert.rejects(discoverCluster({ endpoint, pins, token, clock: systemClock }), {
      code: 'bootstrap.discovery.untrusted',
      message: /does not speak TLS/,
    });
    server.close();
  });

  test('nobody at the address: waited for, then told', async () => {
    const gone = await startJoinableCluster(token);
    await gone[Symbol.asyncDispose]();
    await assert.rejects(discoverCluster(request(gone)), {
      code: 'bootstrap.discovery.timeout',
      kind: 'transient',
      message: /ECONNREFUSED/,
    });
  });
});
