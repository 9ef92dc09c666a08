import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Node, namespaces, nodes, type Pod, pods } from '@slipway/api';
import { type ApiServer, createApiServer } from '@slipway/apiserver';
import { silentLogger, systemClock } from '@slipway/base';
import { createNodeLifecycle, createStandInKubelet } from '@slipway/bootstrap';
import { createKubeClient, isNotFound, type KubeClient } from '@slipway/kube';
import {
  type CertificateAndKey,
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';

const description = {
  nodeName: 'worker-1',
  addresses: ['127.0.1.1'],
  bootId: 'boot-1',
  machineId: 'machine',
  kubeletVersion: 'v1.37.2',
  osImage: 'Simulated Linux',
  kernelVersion: '6.12',
  containerRuntimeVersion: 'none://',
  architecture: 'amd64',
};
const pod: Pod = {
  metadata: { namespace: 'default', name: 'web' },
  spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'web:1' }] },
};

async function until<T>(what: string, probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await systemClock.sleep(10);
  }
}

function readiness(node: Node): string | undefined {
  return node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status;
}

suite('stand-in kubelet and node lifecycle against the embedded server', () => {
  let folder = '';
  let server: ApiServer;
  let administrator: KubeClient;
  let kubelet: KubeClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-kubelet-'));
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
    const serving = await issueCertificate(authority, {
      subject: { commonName: 'kube-apiserver' },
      ipAddresses: ['127.0.0.1'],
      usages: ['server'],
      validity,
    });
    server = createApiServer({
      dataDirectory: join(folder, 'apiserver'),
      port: 0,
      serving: {
        certificatePem: serving.certificatePem,
        keyPem: encodePrivateKey(serving.key).reveal(),
      },
      certificateAuthority: authority,
      clock: systemClock,
      logger: silentLogger,
    });
    await server.start();
    const connect = ({ certificatePem, key }: CertificateAndKey) =>
      createKubeClient({
        server: server.url,
        certificateAuthority: { pem: authority.certificatePem },
        clientCertificate: { pem: certificatePem },
        clientKey: { secret: encodePrivateKey(key) },
      });
    const issue = (commonName: string, organization: string) =>
      issueCertificate(authority, {
        subject: { commonName, organizations: [organization] },
        usages: ['client'],
        validity,
      });
    administrator = connect(await issue('kubernetes-admin', 'system:masters'));
    kubelet = connect(await issue('system:node:worker-1', 'system:nodes'));
    await administrator.get(namespaces, 'kube-node-lease');
  });

  after(async () => {
    administrator.close();
    kubelet.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const nodeIs = (status: string) =>
    until(`worker-1 to be Ready=${status}`, async () => {
      const node = await administrator.get(nodes, 'worker-1');
      return readiness(node) === status ? node : undefined;
    });

  test('it registers, runs pods, ends deleted ones, and says when it stops', async () => {
    const standIn = createStandInKubelet({ client: kubelet, description, leasePeriodMs: 50 });
    await standIn.start();
    const node = await nodeIs('True');
    assert.equal(node.status?.nodeInfo?.['bootID'], 'boot-1');

    await administrator.create(pods, pod);
    const key = { namespace: 'default', name: 'web' };
    await until('the pod to run', async () => {
      const found = await administrator.get(pods, key);
      return found.status?.phase === 'Running' ? found : undefined;
    });
    await administrator.delete(pods, key, { gracePeriodSeconds: 30 });
    await until('the pod to be gone', () =>
      administrator.get(pods, key).then(
        () => undefined,
        (error: unknown) => (isNotFound(error) ? true : Promise.reject(error)),
      ),
    );

    await standIn.stop();
    await nodeIs('False');
  });

  test('a node whose kubelet went silent becomes Unknown, and Ready again with its kubelet', async () => {
    const standIn = createStandInKubelet({
      client: kubelet,
      description,
      leasePeriodMs: 50,
      statusPeriodMs: 100,
    });
    const lifecycle = createNodeLifecycle({ client: administrator, graceMs: 400, periodMs: 20 });
    await lifecycle.start();
    await nodeIs('Unknown');
    await standIn.start();
    await nodeIs('True');
    await standIn.stop();
    await lifecycle.stop();
  });
});
