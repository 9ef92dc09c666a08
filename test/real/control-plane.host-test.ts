import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { KubeList, KubeObject } from '@slipway/api';
import { ControlPlaneMachine, machineAddress } from '../kit/control-plane-machine.ts';
import {
  type KubeProgram,
  kubernetesVersion,
  withoutKubePrograms,
  withoutNamespaces,
} from '../kit/kube-binaries.ts';
import { type ProgramResult, runProgram } from '../kit/run-program.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';
import { waitUntil } from '../kit/wait-until.ts';

const components: readonly KubeProgram[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
];
const skip = withoutNamespaces() || withoutKubePrograms([...components, 'kubectl']);
const configPath = '/etc/kubernetes/kubeadm.yaml';
const token = 'abcdef.0123456789abcdef';
const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: ${machineAddress}
nodeRegistration:
  name: cp1
bootstrapTokens:
- token: ${token}
  ttl: "0s"
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: ${kubernetesVersion}
controlPlaneEndpoint: ${machineAddress}:6443
networking:
  podSubnet: 10.244.0.0/16
`;

/** What the phases write. Objects whose status others keep are compared by their generation. */
const written = [
  'configmaps',
  'secrets',
  'serviceaccounts',
  'services',
  'roles',
  'rolebindings',
  'clusterroles',
  'clusterrolebindings',
  'deployments',
  'daemonsets',
];

suite('a real control plane from our manifests', { skip, timeout: 600_000 }, () => {
  let machine: ControlPlaneMachine;
  before(async () => {
    machine = await ControlPlaneMachine.start();
    writeFileSync(join(machine.root, configPath), configuration);
  });
  after(() => machine[Symbol.asyncDispose]());

  const slipway = (argv: readonly string[], root = machine.root): Promise<ProgramResult> =>
    machine.run([process.execPath, slipwayProgram, ...argv, '--rootfs', root]);

  async function must(argv: readonly string[], root = machine.root): Promise<string> {
    const { code, stdout, stderr } = await slipway(argv, root);
    assert.equal(code, 0, `slipway ${argv.join(' ')}:\n${stderr}${stdout}`);
    return stdout;
  }

  const phase = (...words: string[]) => must(['init', 'phase', ...words, '--config', configPath]);

  async function kubectl(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await machine.kubectl(args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  const objects = async (...args: string[]): Promise<readonly KubeObject[]> =>
    (JSON.parse(await kubectl('get', ...args, '-o', 'json')) as KubeList<KubeObject>).items;

  /** Version of every object that the phases write. */
  async function versions(): Promise<Readonly<Record<string, string>>> {
    const all = await objects(written.join(','), '--all-namespaces');
    return Object.fromEntries(
      all.map(({ kind, metadata = {} }) => [
        `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
        String(metadata.generation ?? metadata.resourceVersion),
      ]),
    );
  }

  test('files: certificates, kubeconfigs and static pods', async () => {
    await phase('certs', 'all');
    await phase('kubeconfig', 'all');
    await phase('etcd', 'local');
    await phase('control-plane', 'all');
    assert.deepEqual(
      readdirSync(join(machine.root, 'etc/kubernetes/manifests')).sort(),
      components.map((name) => `${name}.yaml`),
    );
  });

  test('openssl accepts every certificate, strictly', async () => {
    const pki = join(machine.root, 'etc/kubernetes/pki');
    for (const [authority, leaves] of Object.entries({
      ca: ['ca', 'apiserver', 'apiserver-kubelet-client'],
      'front-proxy-ca': ['front-proxy-ca', 'front-proxy-client'],
      'etcd/ca': [
        'etcd/ca',
        'etcd/server',
        'etcd/peer',
        'etcd/healthcheck-client',
        'apiserver-etcd-client',
      ],
    })) {
      const files = leaves.map((name) => join(pki, `${name}.crt`));
      const verify = [
        'openssl',
        'verify',
        '-x509_strict',
        '-CAfile',
        join(pki, `${authority}.crt`),
      ];
      const { code, stderr } = await runProgram([...verify, ...files]);
      assert.equal(code, 0, stderr);
    }
  });

  test('the real programs become ready with the command lines of the manifests', async () => {
    for (const component of components) machine.startStaticPod(component);
    await waitUntil(
      'the API server to be ready',
      async () => {
        const { stdout } = await machine.kubectl(['get', '--raw', '/readyz']);
        return stdout === 'ok' ? true : undefined;
      },
      { describe: () => machine.lastLines() },
    );
    for (const port of [10257, 10259]) {
      await waitUntil(`the component on port ${port} to be healthy`, async () => {
        const { stdout } = await machine.run([
          'curl',
          '--silent',
          '--insecure',
          `https://127.0.0.1:${port}/healthz`,
        ]);
        return stdout === 'ok' ? true : undefined;
      });
    }
  });

  test('the kubelet of the control plane registers with our kubelet.conf', async () => {
    await createNode(join(machine.root, 'etc/kubernetes/kubelet.conf'), 'cp1');
  });

  /** What a kubelet does first, with its own certificate. */
  async function createNode(kubeconfig: string, name: string): Promise<void> {
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
    const command = machine.kubectlCommand(kubeconfig, ['create', '-f', '-']);
    await machine.must(command, JSON.stringify(node));
  }

  const apiPhases: readonly (readonly string[])[] = [
    ['upload-config', 'all'],
    ['mark-control-plane'],
    ['bootstrap-token'],
    ['addon', 'coredns'],
    ['addon', 'kube-proxy'],
  ];

  test('the phases that write objects succeed', async () => {
    for (const words of apiPhases) await phase(...words);
  });

  test('kubectl works with our admin.conf', async () => {
    assert.match(await kubectl('version'), new RegExp(`Server Version: ${kubernetesVersion}`));
    assert.match(await kubectl('auth', 'whoami'), /kubeadm:cluster-admins/);
    assert.equal(await kubectl('auth', 'can-i', '*', '*'), 'yes\n');
    const [node] = await objects('nodes');
    assert.ok('node-role.kubernetes.io/control-plane' in (node?.metadata?.labels ?? {}));
  });

  test('the controllers make pods of our add-ons', async () => {
    await waitUntil('pods of the add-ons', async () => {
      const names = (await objects('pods', '--namespace=kube-system')).map(
        ({ metadata }) => metadata?.name ?? '',
      );
      const isThere = (prefix: string) => names.some((name) => name.startsWith(prefix));
      return isThere('coredns-') && isThere('kube-proxy-') ? true : undefined;
    });
    assert.equal(
      await kubectl(
        'get',
        'service',
        'kube-dns',
        '--namespace=kube-system',
        '-o=jsonpath={.spec.clusterIP}',
      ),
      '10.96.0.10',
    );
  });

  test('the signing controller signs cluster-info for our token', async () => {
    await clusterInfoSignedFor(token);
  });

  async function clusterInfoSignedFor(signed: string): Promise<void> {
    const id = signed.split('.')[0];
    await waitUntil(`cluster-info to be signed for ${id}`, async () => {
      const data = await kubectl(
        'get',
        'configmap',
        'cluster-info',
        '--namespace=kube-public',
        '-o=jsonpath={.data}',
      );
      return data.includes(`jws-kubeconfig-${id}`) ? true : undefined;
    });
  }

  test('a second run of every phase changes nothing', async () => {
    const before = await versions();
    assert.ok(Object.keys(before).length > 80);
    const node = await kubectl(
      'get',
      'node',
      'cp1',
      '-o=jsonpath={.metadata.labels}{.spec.taints}',
    );
    for (const words of apiPhases) await phase(...words);
    assert.deepEqual(await versions(), before);
    assert.equal(
      await kubectl('get', 'node', 'cp1', '-o=jsonpath={.metadata.labels}{.spec.taints}'),
      node,
    );
  });

  test('tokens are created, listed and deleted', async () => {
    const created = (
      await must(['token', 'create', '--ttl', '2h', '--description', 'for a test'])
    ).trim();
    assert.match(created, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    assert.match(await must(['token', 'list']), new RegExp(created.replace('.', '\\.')));
    await must(['token', 'delete', created]);
    assert.doesNotMatch(await must(['token', 'list']), new RegExp(created.slice(0, 6)));
    const again = await slipway(['token', 'create', token]);
    assert.notEqual(again.code, 0);
  });

  /** `sha256:` of the authority's public key, computed without our code. */
  function pin(): string {
    const pem = readFileSync(join(machine.root, 'etc/kubernetes/pki/ca.crt'));
    const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${createHash('sha256').update(key).digest('hex')}`;
  }

  function newHost(name: string): string {
    const root = machine.otherRoot(name);
    for (const path of ['etc', 'var/lib']) mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, 'etc/hostname'), `${name}\n`);
    return root;
  }

  /** Where no kubelet runs, join has asked for the certificate in its place; the node registers with it. */
  async function nodeOf(root: string, name: string): Promise<void> {
    const kubeconfig = join(root, 'etc/kubernetes/kubelet.conf');
    const who = machine.kubectlCommand(kubeconfig, [
      'auth',
      'whoami',
      '-o=jsonpath={.status.userInfo}',
    ]);
    const { username, groups } = JSON.parse(await machine.must(who));
    assert.equal(username, `system:node:${name}`);
    assert.ok(groups.includes('system:nodes'));
    await createNode(kubeconfig, name);
    const requests = await objects('certificatesigningrequests');
    const own = requests.filter((each) => JSON.stringify(each).includes('system:bootstrap:abcdef'));
    assert.ok(own.length > 0, 'the request was made with the bootstrap token');
  }

  test('a host joins by token and pin; the real controllers approve and sign', async () => {
    const root = newHost('w1');
    await must(
      [
        'join',
        `${machineAddress}:6443`,
        '--token',
        token,
        '--discovery-token-ca-cert-hash',
        pin(),
        '--node-name',
        'w1',
        '--ignore-preflight-errors=all',
      ],
      root,
    );
    await nodeOf(root, 'w1');
  });

  test('a wrong pin is refused, and nothing is written', async () => {
    const root = newHost('w2');
    const { code, stderr } = await slipway(
      [
        'join',
        `${machineAddress}:6443`,
        '--token',
        token,
        '--discovery-token-ca-cert-hash',
        `sha256:${'0'.repeat(64)}`,
        '--node-name',
        'w2',
        '--ignore-preflight-errors=all',
      ],
      root,
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /pin/i);
    assert.deepEqual(readdirSync(join(root, 'etc')), ['hostname']);
  });

  test('a host joins by a discovery file', async () => {
    const root = newHost('w3');
    const file = await kubectl(
      'get',
      'configmap',
      'cluster-info',
      '--namespace=kube-public',
      '-o=jsonpath={.data.kubeconfig}',
    );
    writeFileSync(join(root, 'etc/cluster-info.yaml'), file);
    await must(
      [
        'join',
        '--discovery-file',
        '/etc/cluster-info.yaml',
        '--tls-bootstrap-token',
        token,
        '--node-name',
        'w3',
        '--ignore-preflight-errors=all',
      ],
      root,
    );
    await nodeOf(root, 'w3');
  });

  test('upgrade plan and diff read the cluster', async () => {
    assert.match(
      await must(['upgrade', 'plan', kubernetesVersion, '--ignore-preflight-errors=all']),
      new RegExp(kubernetesVersion.replaceAll('.', '\\.')),
    );
    const diff = await must(['upgrade', 'diff', 'v1.37.9']);
    assert.match(diff, /^-.*kube-apiserver:v1\.37\.2$/m);
    assert.match(diff, /^\+.*kube-apiserver:v1\.37\.9$/m);
  });

  test('certificates are uploaded for control planes that join', async () => {
    await must(['init', 'phase', 'upload-certs', '--upload-certs', '--config', configPath]);
    const secret = JSON.parse(
      await kubectl('get', 'secret', 'kubeadm-certs', '--namespace=kube-system', '-o=json'),
    );
    assert.equal(Object.keys(secret.data).length, 8);
    assert.equal(secret.metadata.ownerReferences.length, 1);
  });
});
