import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import { createSimulatedHost, type HostFiles } from '@slipway/host';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import { kubeletKubeconfig } from '../discovery/cluster-kubeconfig.ts';
import { waitForKubeletCredentials } from './kubelet-credentials.ts';

const owner = { uid: 0, gid: 0 };
const credential = '/var/lib/kubelet/pki/kubelet-client-current.pem';

suite('waiting for the credentials of the kubelet', () => {
  let directory = '';
  let files: HostFiles;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-kubelet-credentials-'));
    ({ files } = await createSimulatedHost({ directory, name: 'w', onReboot: () => undefined }));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { mode: 0o755, ...owner });
    await files.write(path, Buffer.from(text), { mode: 0o600, ...owner });
  }

  test('each step of the kubelet is seen; half of it is "not yet"', async () => {
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
    const { certificatePem, key } = await issueCertificate(authority, {
      subject: { commonName: 'system:node:w', organizations: ['system:nodes'] },
      usages: ['client'],
      validity,
    });
    const cluster = {
      server: 'https://10.0.0.1:6443',
      certificateAuthorityPem: authority.certificatePem,
    };
    const steps = [
      () => write('/etc/kubernetes/kubelet.conf', kubeletKubeconfig(cluster, 'w', credential)),
      () => write(credential, certificatePem),
      () => write(credential, certificatePem + encodePrivateKey(key).reveal()),
    ];
    const told: string[] = [];
    let work = Promise.resolve();
    const onWait = (observed: string) => {
      told.push(observed);
      work = work.then(steps.shift() ?? (() => undefined));
    };
    const found = await waitForKubeletCredentials({ files, clock: systemClock, onWait });
    await work;
    assert.equal(found.server, cluster.server);
    assert.equal(told.length, 3);
    assert.match(told[0] ?? '', /kubelet\.conf does not exist yet/);
    assert.match(told[1] ?? '', /kubelet-client-current\.pem/);
    assert.match(told[2] ?? '', /key/i);
  });

  test('the end of the wait tells the last thing seen', async () => {
    await files.remove('/etc/kubernetes/kubelet.conf');
    const waiting = { files, clock: systemClock, timeoutMs: 20 };
    await assert.rejects(waitForKubeletCredentials(waiting), {
      code: 'bootstrap.kubelet-conf.timeout',
      message: /kubelet\.conf does not exist yet/,
    });
  });
});
