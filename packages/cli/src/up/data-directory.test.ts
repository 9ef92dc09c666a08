import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import { kubernetesPaths, readHostKubeconfig } from '@slipway/bootstrap';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  generateBootstrapToken,
  inspectCertificate,
  issueCertificate,
} from '@slipway/pki';
import { createOutput } from '../output.ts';
import { writeAdminKubeconfig } from './admin-kubeconfig.ts';
import { choosePort } from './choose-port.ts';
import { adoptAuthority, openCredentials } from './credentials.ts';
import { makeDataDirectory, readRecord, saveRecord } from './data-directory.ts';
import { clusterPaths } from './settings.ts';
import { lockDataDirectory } from './single-instance.ts';
import { removeStaleCredentials } from './stale-credentials.ts';
import { createTryGround, createTryPhases } from './try-phases.ts';
import { trySettings } from './try-settings.ts';

const userId = process.geteuid?.() ?? 0;

suite('the data directory', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-data-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function pathsOf(name: string) {
    const environment = {
      variables: { XDG_STATE_HOME: folder },
      workingDirectory: folder,
      homeDirectory: '/nowhere',
      nodeBinary: process.execPath,
      entryPoint: '',
      userId: 0,
      restartWith: () => undefined,
      interrupted: new AbortController().signal,
    };
    return clusterPaths(name === '' ? {} : { data: name }, environment);
  }

  test('is in the state directory of the user unless it is given', () => {
    assert.equal(pathsOf('').data, join(folder, 'slipway/up'));
    assert.equal(pathsOf('try').data, join(folder, 'try'));
  });

  test('remembers the cluster, privately', async () => {
    const paths = pathsOf('one');
    await makeDataDirectory(paths.data);
    assert.equal(await readRecord(paths), undefined);
    const record = { formatVersion: 1, nodes: 1, controlPlanes: 1, hosts: 'simulated' } as const;
    await saveRecord(paths, record);
    assert.deepEqual(await readRecord(paths), record);
    assert.equal(statSync(paths.record).mode & 0o777, 0o600);
  });

  test('with somebody else’s files is refused', async () => {
    const paths = pathsOf('foreign');
    await makeDataDirectory(paths.data);
    writeFileSync(join(paths.data, 'thesis.txt'), '');
    await assert.rejects(readRecord(paths), { code: 'cli.up.foreign-data' });
  });

  test('that is a file is refused', async () => {
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(makeDataDirectory(join(folder, 'file')), {
      code: 'cli.up.unusable-data',
    });
  });

  test('is run by one at a time', async () => {
    const first = await lockDataDirectory(folder);
    await assert.rejects(lockDataDirectory(folder), { code: 'cli.up.in-use' });
    await first[Symbol.asyncDispose]();
    await (await lockDataDirectory(folder))[Symbol.asyncDispose]();
  });

  suite('keys and certificates', () => {
    const address = (host: string, port: number) => `https://${host}:${port}`;
    const token = generateBootstrapToken();

    async function open(name: string, endpoint: string, daysLater = 0) {
      const paths = pathsOf(name);
      const clock = new VirtualClock(Date.now() + daysLater * dayMs);
      const ground = { ...(await createTryGround(paths.controlPlane, userId)), clock };
      await adoptAuthority(ground, paths.pki);
      await removeStaleCredentials(ground, endpoint);
      const port = Number(new URL(endpoint).port);
      const settings = trySettings({ nodeName: 'control-plane-1', endpoint, port, token });
      await createTryPhases(
        ground,
        settings,
        createOutput(process.stdout, process.stderr),
      ).prepare();
      return { paths, ground, ...(await openCredentials(ground, paths.pki)) };
    }

    test('stay while they are good, and are made anew before they expire', async () => {
      const first = await open('keys', address('127.0.0.1', 7443));
      const again = await open('keys', address('127.0.0.1', 7443));
      assert.equal(again.server.certificatePem, first.server.certificatePem);
      assert.equal(again.administrator.certificatePem, first.administrator.certificatePem);
      const later = await open('keys', address('127.0.0.1', 7443), 340);
      assert.notEqual(later.server.certificatePem, first.server.certificatePem);
      assert.notEqual(later.administrator.certificatePem, first.administrator.certificatePem);
      assert.notEqual(later.operator.certificatePem, first.operator.certificatePem);
      assert.equal(later.authority.certificatePem, first.authority.certificatePem);
      const key = join(first.paths.controlPlane, 'etc/kubernetes/pki/ca.key');
      assert.equal(statSync(key).mode & 0o777, 0o600);
    });

    test('follow the address of the cluster', async () => {
      const first = await open('moved', address('127.0.0.1', 7443));
      const moved = await open('moved', address('10.0.0.1', 7444));
      assert.ok(inspectCertificate(moved.server.certificatePem).ipAddresses.includes('10.0.0.1'));
      assert.equal(moved.authority.certificatePem, first.authority.certificatePem);
      const path = kubernetesPaths.adminKubeconfig;
      const kubeconfig = await readHostKubeconfig(moved.ground.files, path);
      assert.equal(kubeconfig?.clusters[0]?.server, address('10.0.0.1', 7444));
    });

    test('a data directory of before keeps its authority', async () => {
      const paths = pathsOf('former');
      const validity = { now: Date.now(), validityMs: 3650 * dayMs };
      const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
      mkdirSync(paths.pki, { recursive: true });
      writeFileSync(join(paths.pki, 'ca.crt'), authority.certificatePem);
      writeFileSync(join(paths.pki, 'ca.key'), encodePrivateKey(authority.key).reveal());
      const opened = await open('former', address('127.0.0.1', 7443));
      assert.equal(opened.authority.certificatePem, authority.certificatePem);
    });
  });

  test('a kubeconfig of another cluster is not overwritten', async () => {
    const path = join(folder, 'admin.conf');
    const access = await adminAccess();
    await writeAdminKubeconfig(path, access);
    await writeAdminKubeconfig(path, { ...access, server: 'https://127.0.0.1:2' });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    await assert.rejects(writeAdminKubeconfig(path, await adminAccess()), {
      code: 'cli.up.foreign-kubeconfig',
    });
  });
});

async function adminAccess() {
  const validity = { now: Date.now(), validityMs: dayMs };
  const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
  const subject = { commonName: 'admin' };
  const administrator = await issueCertificate(authority, {
    subject,
    validity,
    usages: ['client'],
  });
  return {
    server: 'https://127.0.0.1:1',
    certificateAuthorityPem: authority.certificatePem,
    administrator,
  };
}

test('a taken port is refused when it was asked for and avoided when it was not', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await assert.rejects(choosePort(taken, undefined), { code: 'cli.up.port-in-use' });
  assert.notEqual(await choosePort(undefined, taken), taken);
  await new Promise((resolve) => server.close(resolve));
});
