import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  loadCertificateAndKey,
  parsePrivateKey,
  readCertificateSigningRequest,
  signCertificateSigningRequest,
} from '@slipway/pki';
import { parse } from 'yaml';
import { describedSettings } from '../testing/described-settings.ts';
import { ensureCertificates } from './ensure-certificates.ts';
import { generateSigningRequests } from './generate-signing-requests.ts';
import { PkiFolder } from './testing/pki-folder.ts';

const pki = '/etc/kubernetes/pki';
const settings = describedSettings();

suite('signing requests', () => {
  test('are written with their keys, and beside kubeconfigs that lack the certificates', async () => {
    using folder = new PkiFolder();
    const written = await generateSigningRequests({ ...folder, settings });
    assert.deepEqual(written, {
      certificates: [
        'apiserver',
        'apiserver-kubelet-client',
        'front-proxy-client',
        'etcd/server',
        'etcd/peer',
        'etcd/healthcheck-client',
        'apiserver-etcd-client',
      ],
      kubeconfigs: [
        'admin.conf',
        'super-admin.conf',
        'kubelet.conf',
        'controller-manager.conf',
        'scheduler.conf',
      ],
    });
    const files = await folder.snapshot('/etc/kubernetes');
    assert.equal(Object.keys(files).length, 24);
    for (const path of Object.keys(files)) assert.equal(folder.mode(path), '600', path);
    const request = await readCertificateSigningRequest(folder.text(`${pki}/apiserver.csr`));
    assert.equal(request.subject.commonName, 'kube-apiserver');
    assert.deepEqual(request.names.ipAddresses, ['10.96.0.1', '10.20.0.11']);
    parsePrivateKey(folder.text(`${pki}/apiserver.key`));
    const admin = await readCertificateSigningRequest(
      folder.text('/etc/kubernetes/admin.conf.csr'),
    );
    assert.deepEqual(admin.subject.organizations, ['kubeadm:cluster-admins']);
    const { users, clusters } = parse(folder.text('/etc/kubernetes/admin.conf'));
    assert.deepEqual(Object.keys(users[0].user), ['client-key-data']);
    assert.deepEqual(clusters[0].cluster, { server: 'https://10.20.0.11:6443' });
  });

  test('signed elsewhere, they make a tree that is used as it is', async () => {
    using folder = new PkiFolder();
    using elsewhere = new PkiFolder();
    await ensureCertificates({ ...elsewhere, settings });
    await generateSigningRequests({ ...folder, settings });
    for (const name of ['apiserver', 'apiserver-kubelet-client']) {
      const authority = loadCertificateAndKey(
        elsewhere.text(`${pki}/ca.crt`),
        elsewhere.text(`${pki}/ca.key`),
      );
      const usages = ['digital signature', name === 'apiserver' ? 'server auth' : 'client auth'];
      const signed = await signCertificateSigningRequest(
        authority,
        folder.text(`${pki}/${name}.csr`),
        { now: folder.clock.now(), validityMs: 86_400_000, usages },
      );
      await folder.files.write(`${pki}/${name}.crt`, Buffer.from(signed), {
        mode: 0o644,
        uid: 0,
        gid: 0,
      });
    }
    const ca = Buffer.from(elsewhere.text(`${pki}/ca.crt`));
    await folder.files.write(`${pki}/ca.crt`, ca, { mode: 0o644, uid: 0, gid: 0 });
    const only = ['ca', 'apiserver', 'apiserver-kubelet-client'] as const;
    const outcomes = await ensureCertificates({ ...folder, settings, only });
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['external', 'reused', 'reused'],
    );
  });

  test('never replace what is there', async () => {
    using folder = new PkiFolder();
    await generateSigningRequests({ ...folder, settings });
    const before = await folder.snapshot('/etc/kubernetes');
    await assert.rejects(generateSigningRequests({ ...folder, settings }), {
      code: 'bootstrap.certificates.exists',
      message: /there is already \/etc\/kubernetes\/pki\/apiserver\.key, /,
    });
    assert.deepEqual(await folder.snapshot('/etc/kubernetes'), before);
  });
});
