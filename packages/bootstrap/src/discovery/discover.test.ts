import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Secret, systemClock } from '@slipway/base';
import { createSimulatedHost, type HostFiles } from '@slipway/host';
import {
  type KubeconfigUser,
  parseKubeconfig,
  renderKubeconfig,
  singleUserKubeconfig,
} from '@slipway/kube';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  formatBootstrapToken,
  generateBootstrapToken,
  issueCertificate,
} from '@slipway/pki';
import type { Discovery } from '../config/configuration.ts';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { bootstrapKubeconfig } from '../tls-bootstrap/bootstrap-kubeconfig.ts';
import { clusterInfoKubeconfig } from './cluster-kubeconfig.ts';
import { discover } from './discover.ts';
import { fetchKubeconfig } from './fetch-kubeconfig.ts';

const token = generateBootstrapToken();
const tokenText = formatBootstrapToken(token).reveal();

suite('discovery by file and by https', () => {
  let folder = '';
  let hosts = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-discover-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function filesWith(entries: Readonly<Record<string, string>>): Promise<HostFiles> {
    hosts += 1;
    const directory = join(folder, `host-${hosts}`);
    const { files } = await createSimulatedHost({
      directory,
      name: 'w',
      onReboot: () => undefined,
    });
    const attributes = { mode: 0o600, uid: 0, gid: 0 };
    await files.makeDirectory('/etc/d', { ...attributes, mode: 0o755 });
    for (const [path, text] of Object.entries(entries)) {
      await files.write(path, Buffer.from(text), attributes);
    }
    return files;
  }

  const byFile = (tlsBootstrapToken = '', kubeConfigPath = '/etc/d/f.conf'): Discovery => ({
    file: { kubeConfigPath },
    tlsBootstrapToken,
  });
  const options = (files: HostFiles) => ({ files, clock: systemClock, timeoutMs: 150 });

  function fileOf(cluster: JoinableCluster, user: Partial<KubeconfigUser> = {}): string {
    const certificateAuthority = { pem: cluster.authorityPem };
    return renderKubeconfig(
      singleUserKubeconfig(
        { name: 'somewhere', server: cluster.endpoint, certificateAuthority },
        { name: 'someone', ...user },
      ),
    );
  }

  async function clientOf(authority: Parameters<typeof issueCertificate>[0]) {
    const issued = await issueCertificate(authority, {
      subject: { commonName: 'someone' },
      usages: ['client'],
      validity: { now: Date.now(), validityMs: dayMs },
    });
    return { certificate: issued.certificatePem, key: encodePrivateKey(issued.key).reveal() };
  }

  test('token discovery gives the kubeconfig that kubeadm writes', async () => {
    await using cluster = await startJoinableCluster(token);
    const found = await discover(
      {
        bootstrapToken: {
          token: tokenText,
          apiServerEndpoint: cluster.endpoint.replace('https://', ''),
          caCertHashes: [cluster.pin],
          unsafeSkipCAVerification: false,
        },
        tlsBootstrapToken: tokenText,
      },
      options(await filesWith({})),
    );
    const written = parseKubeconfig(bootstrapKubeconfig(found));
    assert.equal(written.currentContext, 'tls-bootstrap-token-user@kubernetes');
    assert.equal(written.clusters[0]?.server, cluster.endpoint);
    assert.deepEqual(written.users[0], {
      name: 'tls-bootstrap-token-user',
      token: { secret: new Secret(tokenText) },
    });
    const local = parseKubeconfig(bootstrapKubeconfig(found, 'https://10.0.0.2:6443'));
    assert.equal(local.clusters[0]?.server, 'https://10.0.0.2:6443');
  });

  test('a file with a cluster only needs a token', async () => {
    await using cluster = await startJoinableCluster(token);
    const files = await filesWith({ '/etc/d/f.conf': fileOf(cluster) });
    await assert.rejects(discover(byFile(), options(files)), {
      code: 'bootstrap.discovery.credentials',
      kind: 'user',
    });
    const found = await discover(byFile(tokenText, 'file:///etc/d/f.conf'), options(files));
    assert.equal(found.kubeconfig.currentContext, 'tls-bootstrap-token-user@kubernetes');
  });

  test('cluster-info itself is such a file', async () => {
    await using cluster = await startJoinableCluster(token);
    const { endpoint: server, authorityPem: certificateAuthorityPem } = cluster;
    const text = clusterInfoKubeconfig({ server, certificateAuthorityPem });
    const files = await filesWith({ '/etc/d/f.conf': text });
    const found = await discover(byFile(tokenText), options(files));
    assert.equal(found.cluster.server, server);
  });

  test('a token in the file, or in a file beside it, is used and embedded', async () => {
    await using cluster = await startJoinableCluster(token);
    const embedded = fileOf(cluster, { token: { secret: new Secret(tokenText) } });
    const beside = fileOf(cluster, { token: { path: 'secret' } });
    for (const text of [embedded, beside]) {
      const files = await filesWith({ '/etc/d/f.conf': text, '/etc/d/secret': `${tokenText}\n` });
      const found = await discover(byFile(), options(files));
      assert.equal(found.kubeconfig.currentContext, 'someone@somewhere');
      const [user] = parseKubeconfig(bootstrapKubeconfig(found)).users;
      assert.deepEqual(user?.token, { secret: new Secret(tokenText) });
    }
  });

  test('a client certificate, embedded or in files, is used and embedded', async () => {
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
    await using cluster = await startJoinableCluster(token, { authority });
    const { certificate, key } = await clientOf(authority);
    const embedded = fileOf(cluster, {
      clientCertificate: { pem: certificate },
      clientKey: { secret: new Secret(key) },
    });
    const external = fileOf(cluster, {
      clientCertificate: { path: '/etc/d/c.crt' },
      clientKey: { path: 'c.key' },
    });
    for (const text of [embedded, external]) {
      const files = await filesWith({
        '/etc/d/f.conf': text,
        '/etc/d/c.crt': certificate,
        '/etc/d/c.key': key,
      });
      const found = await discover(byFile(), options(files));
      const [user] = parseKubeconfig(bootstrapKubeconfig(found)).users;
      assert.deepEqual(user?.clientCertificate, { pem: certificate });
    }
  });

  test('cluster-info completes a missing authority, and another server is only told', async () => {
    await using cluster = await startJoinableCluster(token);
    await using elsewhere = await startJoinableCluster(token);
    cluster.clusterInfo = (right) => ({
      data: {
        kubeconfig: (right.data?.['kubeconfig'] ?? '').replace(
          cluster.endpoint,
          elsewhere.endpoint,
        ),
      },
    });
    const bare = fileOf(cluster).replace(/.*certificate-authority-data.*\n/, '');
    const files = await filesWith({ '/etc/d/f.conf': bare });
    const warnings: string[] = [];
    const found = await discover(byFile(tokenText), {
      ...options(files),
      authorities: () => [cluster.authorityPem],
      onWarning: (text) => warnings.push(text),
    });
    assert.equal(found.cluster.server, cluster.endpoint);
    assert.equal(found.cluster.certificateAuthorityPem.trim(), cluster.authorityPem.trim());
    assert.match(warnings.join(), new RegExp(`cluster-info names ${elsewhere.endpoint}`));
  });

  test('an unreadable cluster-info changes nothing, once the server proved to be the one', async () => {
    await using cluster = await startJoinableCluster(token);
    for (const status of [401, 403]) {
      cluster.clusterInfo = () => status;
      const files = await filesWith({ '/etc/d/f.conf': fileOf(cluster) });
      const found = await discover(byFile(tokenText), options(files));
      assert.equal(found.cluster.server, cluster.endpoint);
    }
  });

  const refusedFiles = [
    { name: 'no file', change: () => undefined, message: /there is none/ },
    {
      name: 'exec',
      change: (text: string) =>
        text.replace(/( +)user: \{\}/, '$1user:\n$1  exec:\n$1    command: x'),
      message: /identifies by exec/,
    },
    {
      name: 'a plain http server',
      change: (text: string) => text.replace('https:', 'http:'),
      message: /not an https address/,
    },
    {
      name: 'no cluster',
      change: () => 'apiVersion: v1\nkind: Config\n',
      message: /names no cluster/,
    },
    {
      name: 'a certificate file that is not there',
      change: (text: string) =>
        text.replace(/certificate-authority-data: .*/, 'certificate-authority: /etc/d/none.crt'),
      message: /none\.crt.*there is none/,
    },
  ];
  for (const { name, change, message } of refusedFiles) {
    test(`refused: ${name}`, async () => {
      await using cluster = await startJoinableCluster(token);
      const text = change(fileOf(cluster));
      const files = await filesWith(text === undefined ? {} : { '/etc/d/f.conf': text });
      await assert.rejects(discover(byFile(), options(files)), {
        code: 'bootstrap.discovery.file',
        kind: 'user',
        message,
      });
    });
  }

  test('credentials that the cluster refuses fail at once', async () => {
    await using cluster = await startJoinableCluster(token);
    const text = fileOf(cluster, { token: { secret: new Secret('nobody') } });
    const files = await filesWith({ '/etc/d/f.conf': text });
    await assert.rejects(discover(byFile(), { ...options(files), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.credentials',
    });
  });

  test('a server with another authority than the file fails at once', async () => {
    await using cluster = await startJoinableCluster(token);
    await using other = await startJoinableCluster(token);
    const text = fileOf({ ...cluster, authorityPem: other.authorityPem });
    const files = await filesWith({ '/etc/d/f.conf': text });
    await assert.rejects(discover(byFile(tokenText), { ...options(files), timeoutMs: 60_000 }), {
      code: 'bootstrap.discovery.untrusted',
    });
  });

  async function serve(listener: RequestListener) {
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({
      commonName: 'authority of the web',
      validity,
    });
    const serving = await issueCertificate(authority, {
      subject: { commonName: 'web' },
      ipAddresses: ['127.0.0.1'],
      usages: ['server'],
      validity,
    });
    const key = encodePrivateKey(serving.key).reveal();
    const server = createServer({ cert: serving.certificatePem, key }, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return {
      address: `https://127.0.0.1:${port}/f.conf`,
      authorities: () => [authority.certificatePem],
      [Symbol.dispose]: () => void server.close(),
    };
  }

  test('by https, from a server that this machine trusts', async () => {
    await using cluster = await startJoinableCluster(token);
    const text = fileOf(cluster, { token: { secret: new Secret(tokenText) } });
    using web = await serve((_, response) => response.end(text));
    const files = await filesWith({});
    const { address, authorities } = web;
    const found = await discover(byFile('', address), { ...options(files), authorities });
    assert.equal(found.cluster.server, cluster.endpoint);
    await assert.rejects(discover(byFile('', address), options(files)), {
      code: 'bootstrap.discovery.file',
      message: /self-signed|unable to verify|issuer/i,
    });
    await assert.rejects(discover(byFile('', address.replace('https', 'http')), options(files)), {
      code: 'bootstrap.discovery.file',
      message: /by https only/,
    });
  });

  test('redirects are followed by https only, and not for ever', async () => {
    await using cluster = await startJoinableCluster(token);
    const text = fileOf(cluster, { token: { secret: new Secret(tokenText) } });
    using web = await serve((incoming, response) => {
      const location = incoming.url === '/loop' ? '/loop' : '/f';
      if (incoming.url === '/f') response.end(text);
      else if (incoming.url === '/plain') {
        response.writeHead(302, { location: 'http://127.0.0.1/f' }).end();
      } else response.writeHead(302, { location }).end();
    });
    const { address, authorities } = web;
    const at = (path: string) =>
      discover(byFile('', address.replace('/f.conf', path)), { ...options(files), authorities });
    const files = await filesWith({});
    assert.equal((await at('/moved')).cluster.server, cluster.endpoint);
    const refused = { code: 'bootstrap.discovery.file' };
    await assert.rejects(at('/plain'), { ...refused, message: /by https only/ });
    await assert.rejects(at('/loop'), { ...refused, message: /more than 5 redirects/ });
  });

  test('an endless answer is cut', async () => {
    using web = await serve((_, response) => {
      response.on('error', () => undefined);
      const chunk = Buffer.alloc(65_536);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const { address, authorities } = web;
    const files = await filesWith({});
    await assert.rejects(discover(byFile('', address), { ...options(files), authorities }), {
      code: 'bootstrap.discovery.file',
      message: /larger than 1 MiB/,
    });
  });

  test('a redirect to what is no address ends nothing but the fetch', async () => {
    using web = await serve((_, response) => {
      response.writeHead(302, { location: 'https://[' }).end();
    });
    const { address, authorities } = web;
    const files = await filesWith({});
    await assert.rejects(discover(byFile('', address), { ...options(files), authorities }), {
      code: 'bootstrap.discovery.file',
      message: /redirects to what is no address/,
    });
  });

  test('an answer that trickles for ever is not waited for', async () => {
    using web = await serve((_, response) => {
      const trickle = setInterval(() => response.write('#'), 20);
      response.once('close', () => clearInterval(trickle));
    });
    const { address, authorities } = web;
    await assert.rejects(fetchKubeconfig({ address, authorities: authorities(), timeoutMs: 200 }), {
      code: 'bootstrap.discovery.file',
      message: /no whole answer in time/,
    });
  });

  test('user, password and query of an address are not shown', async () => {
    using web = await serve((_, response) => response.writeHead(404).end());
    const { address, authorities } = web;
    const path = `${address.replace('https://', 'https://me:hidden@')}?key=hidden`;
    const files = await filesWith({});
    for (const each of [path, path.replace('https:', 'http:'), 'https://me:hidden@[/f?hidden']) {
      await assert.rejects(
        discover(byFile('', each), { ...options(files), authorities }),
        (error: Error) => !error.message.includes('hidden'),
        each,
      );
    }
  });

  test('an https server that has no such file', async () => {
    using web = await serve((_, response) => response.writeHead(404).end());
    const { address, authorities } = web;
    const files = await filesWith({});
    await assert.rejects(discover(byFile('', address), { ...options(files), authorities }), {
      code: 'bootstrap.discovery.file',
      message: /answered 404/,
    });
  });
});
