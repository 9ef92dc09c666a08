import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSimulatedHost, describedMachine, type HostFiles } from '@slipway/host';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import { kubeletKubeconfig } from '../discovery/cluster-kubeconfig.ts';
import { readNodeName } from './node-name.ts';

const attributes = { mode: 0o600, uid: 0, gid: 0 };
const machine = describedMachine({ hostname: 'Host-1 ' });

async function write(files: HostFiles, path: string, text: string): Promise<void> {
  await files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { ...attributes, mode: 0o755 });
  await files.write(path, Buffer.from(text), attributes);
}

test('the name of a node is that of its certificate, behind the link of the kubelet; else the host name', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-node-name-'));
  const { files } = await createSimulatedHost({ directory, name: 'w', onReboot: () => undefined });
  assert.equal(await readNodeName(files, machine), 'host-1');

  const validity = { now: Date.now(), validityMs: dayMs };
  const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
  const issued = await issueCertificate(authority, {
    subject: { commonName: 'system:node:cp1', organizations: ['system:nodes'] },
    usages: ['client'],
    validity,
  });
  const folder = '/var/lib/kubelet/pki';
  const both = issued.certificatePem + encodePrivateKey(issued.key).reveal();
  await write(files, `${folder}/kubelet-client-1.pem`, both);
  await files.symlink(`${folder}/kubelet-client-current.pem`, 'kubelet-client-1.pem');
  const cluster = {
    server: 'https://10.0.0.1:6443',
    certificateAuthorityPem: authority.certificatePem,
  };
  const current = `${folder}/kubelet-client-current.pem`;
  await write(files, '/etc/kubernetes/kubelet.conf', kubeletKubeconfig(cluster, 'cp1', current));
  assert.equal(await readNodeName(files, machine), 'cp1');

  await write(files, '/etc/kubernetes/kubelet.conf', 'kind: Config\n- broken');
  assert.equal(await readNodeName(files, machine), 'host-1');
  rmSync(directory, { recursive: true, force: true });
});
