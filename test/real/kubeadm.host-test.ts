import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  allConfigurations,
  placeConfiguration,
} from '../../tools/record-kubeadm/configurations.ts';
import { ControlPlaneMachine } from '../kit/control-plane-machine.ts';
import {
  kubeProgram,
  kubernetesVersion,
  withoutKubePrograms,
  withoutNamespaces,
} from '../kit/kube-binaries.ts';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

const skip = withoutNamespaces() || withoutKubePrograms(['kubeadm']);
const configPath = '/etc/kubernetes/kubeadm.yaml';

function configuration(algorithm: string): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 10.20.0.11
nodeRegistration:
  name: cp1
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: ${kubernetesVersion}
controlPlaneEndpoint: api.slipway.test:6443
encryptionAlgorithm: ${algorithm}
apiServer:
  certSANs: [api.example.test, "*.wild.example.test", 192.0.2.10, "2001:db8::1"]
`;
}

/** Content and time of every file of the control plane: who writes one again changes it. */
function fingerprint(root: string): Readonly<Record<string, string>> {
  const files = globSync('etc/kubernetes/{pki/**/*.{crt,key,pub},*.conf}', { cwd: root });
  return Object.fromEntries(
    files.map((file) => {
      const path = join(root, file);
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
      return [file, `${digest} ${statSync(path).mtimeMs}`];
    }),
  );
}

suite('kubeadm and slipway over the same files', { skip, timeout: 300_000 }, () => {
  let machine: ControlPlaneMachine;
  before(async () => {
    machine = await ControlPlaneMachine.start();
  });
  after(() => machine[Symbol.asyncDispose]());

  const kubeadm = (...argv: string[]) => machine.must([kubeProgram('kubeadm'), ...argv]);
  const slipway = async (...argv: string[]) => {
    const { code, stdout, stderr } = await slipwayInProcess([...argv, '--rootfs', machine.root]);
    assert.equal(code, 0, `slipway ${argv.join(' ')}: ${stderr}`);
    return stdout;
  };
  const makers = { kubeadm, slipway };

  function startAnew(algorithm: string): void {
    for (const file of globSync('etc/kubernetes/*', { cwd: machine.root }))
      rmSync(join(machine.root, file), { recursive: true });
    writeFileSync(join(machine.root, configPath), configuration(algorithm));
  }

  for (const algorithm of ['RSA-2048', 'ECDSA-P256', 'ECDSA-P384']) {
    for (const [maker, reader] of [
      ['slipway', 'kubeadm'],
      ['kubeadm', 'slipway'],
    ] as const) {
      test(`${algorithm}: ${reader} uses the certificates and kubeconfigs of ${maker}`, async () => {
        startAnew(algorithm);
        for (const kind of ['certs', 'kubeconfig'])
          await makers[maker]('init', 'phase', kind, 'all', '--config', configPath);
        const made = fingerprint(machine.root);
        assert.equal(Object.keys(made).length, 27);
        for (const kind of ['certs', 'kubeconfig'])
          await makers[reader]('init', 'phase', kind, 'all', '--config', configPath);
        assert.deepEqual(fingerprint(machine.root), made);

        const table = JSON.parse(
          await makers[reader]('certs', 'check-expiration', '-o', 'json', '--config', configPath),
        );
        const rows = [...table.certificates, ...table.certificateAuthorities];
        assert.equal(rows.length, 14);
        assert.deepEqual(
          rows.filter((row) => row.missing || row.externallyManaged),
          [],
        );
      });

      test(`${algorithm}: ${reader} renews what ${maker} made, and ${maker} goes on with it`, async () => {
        await makers[reader]('certs', 'renew', 'all', '--config', configPath);
        const renewed = fingerprint(machine.root);
        for (const kind of ['certs', 'kubeconfig'])
          await makers[maker]('init', 'phase', kind, 'all', '--config', configPath);
        assert.deepEqual(fingerprint(machine.root), renewed);
      });
    }
  }

  test('kubeadm accepts every configuration that slipway writes', async () => {
    const refused: string[] = [];
    let accepted = 0;
    mkdirSync(join(machine.root, 'srv'), { recursive: true });
    for (const given of allConfigurations().filter(({ kind }) => kind !== 'general')) {
      placeConfiguration(given, kubernetesVersion, machine.root);
      const { code, stdout } = await slipwayInProcess([
        'config',
        'migrate',
        '--old-config',
        join(machine.root, 'srv/golden/kubeadm.yaml'),
        '--rootfs',
        machine.root,
      ]);
      if (code !== 0) continue;
      writeFileSync(join(machine.root, configPath), stdout);
      const answer = await machine.run([
        kubeProgram('kubeadm'),
        'config',
        'validate',
        '--config',
        configPath,
      ]);
      if (answer.code === 0) accepted += 1;
      else refused.push(`${given.name}: ${answer.stderr}`);
    }
    assert.deepEqual(refused, []);
    assert.ok(accepted >= 70, `only ${accepted} were migrated`);
  });
});
