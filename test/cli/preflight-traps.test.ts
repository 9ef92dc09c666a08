import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { configMaps, nodes } from '@slipway/api';
import { createCertificateAuthority, dayMs, encodePrivateKey } from '@slipway/pki';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';
import { runProgram } from '../kit/run-program.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';

/** The traps that clusters of the field fall into: what the program says, and the way out. */
suite('traps of the field', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function rootWith(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), 'slipway-traps-'));
    folders.push(root);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  function slipway(root: string, argv: readonly string[]) {
    return runProgram([process.execPath, slipwayProgram, ...argv, '--rootfs', root]);
  }

  /** The lines about one check: finding and fix. */
  function about(stderr: string, name: string): string {
    const lines = stderr.split('\n');
    const at = lines.findIndex((line) => line.includes(` ${name}]: `));
    return at < 0 ? '' : lines.slice(at, at + 2).join('\n');
  }

  const containerd = '/etc/containerd/config.toml';
  const init = ['preflight', 'init', '--node-name', 'cp1'];
  const cases = [
    {
      name: 'NAT address that other machines have too',
      files: {},
      argv: ['--apiserver-advertise-address', '10.0.2.15'],
      check: 'NodeAddress',
      // Without another interface there is none to point at.
      want: [/(?:ERROR|WARNING) NodeAddress\]: 10\.0\.2\.15 .*NAT/, /fix: .*--node-ip/],
    },
    {
      name: 'service subnet changed',
      files: {
        '/etc/kubernetes/manifests/kube-apiserver.yaml':
          'spec:\n  containers:\n  - command:\n    - kube-apiserver\n    - --service-cluster-ip-range=10.96.0.0/12\n',
      },
      argv: ['--service-cidr', '10.112.0.0/12'],
      check: 'ServiceSubnet',
      want: [
        /ERROR ServiceSubnet\]: .*10\.112\.0\.0\/12.*10\.96\.0\.0\/12/,
        /fix: .*--service-cidr/,
      ],
    },
    {
      name: 'pause image of a mirror',
      files: {
        [containerd]:
          'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "registry.k8s.io/pause:3.10.2"\n',
      },
      argv: ['--image-repository', 'mirror.example.com/k8s'],
      check: 'SandboxImage',
      want: [
        /ERROR SandboxImage\]: .*registry\.k8s\.io\/pause:3\.10\.2; .*mirror\.example\.com\/k8s\/pause/,
        /fix: .*sandbox_image = "mirror\.example\.com\/k8s\/pause/,
      ],
    },
    {
      name: 'old flag left behind',
      files: {
        '/var/lib/kubelet/kubeadm-flags.env':
          'KUBELET_KUBEADM_ARGS="--pod-infra-container-image=registry.k8s.io/pause:3.9"\n',
      },
      argv: [],
      check: 'KubeletFlags',
      want: [
        /ERROR KubeletFlags\]: --pod-infra-container-image .*kubeadm-flags\.env.*v1\.35/,
        /fix: take --pod-infra-container-image out of \/var\/lib\/kubelet\/kubeadm-flags\.env/,
      ],
    },
    {
      name: 'cgroup drivers that differ',
      files: { [containerd]: 'version = 2\n# SystemdCgroup = true\n' },
      argv: [],
      check: 'CgroupDriver',
      want: [
        /ERROR CgroupDriver\]: .*systemd and containerd cgroupfs/,
        /fix: .*SystemdCgroup = true/,
      ],
    },
  ];

  for (const { name, files, argv, check, want } of cases) {
    test(name, async () => {
      const { code, stderr } = await slipway(rootWith(files), [...init, ...argv]);
      assert.equal(code, 2, stderr);
      for (const pattern of want) assert.match(about(stderr, check), pattern);
    });
  }

  test('none of them on a folder without the trap', async () => {
    const { stderr } = await slipway(rootWith({}), init);
    for (const { check } of cases) assert.equal(about(stderr, check), '');
  });

  test('public address missing from the certificate: certSANs, and the command that helps', async () => {
    const root = rootWith({});
    const argv = [
      'init',
      'phase',
      'certs',
      'apiserver',
      '--apiserver-advertise-address',
      '10.20.0.11',
    ];
    assert.equal((await slipway(root, ['init', 'phase', 'certs', 'ca'])).code, 0);
    assert.equal((await slipway(root, argv)).code, 0);
    const again = await slipway(root, [...argv, '--apiserver-cert-extra-sans', '203.0.113.7']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /203\.0\.113\.7.*certSANs.*slipway init phase certs apiserver/);
  });

  test('for programs: the same findings as JSON, and nothing else on standard output', async () => {
    const root = rootWith({ [containerd]: 'version = 2\n' });
    const { code, stdout } = await slipway(root, [...init, '-o', 'json']);
    assert.equal(code, 2);
    const report = JSON.parse(stdout) as {
      readonly passed: boolean;
      readonly findings: readonly Readonly<Record<string, string>>[];
    };
    assert.equal(report.passed, false);
    const finding = report.findings.find(({ name }) => name === 'CgroupDriver');
    assert.equal(finding?.['level'], 'error');
    assert.match(finding?.['fix'] ?? '', /SystemdCgroup/);
  });

  test('an ignored error is a warning and is told', async () => {
    const root = rootWith({ [containerd]: 'version = 2\n' });
    const ignore = ['--ignore-preflight-errors', 'all'];
    const { code, stderr } = await slipway(root, [...init, ...ignore]);
    assert.equal(code, 0, stderr);
    assert.match(about(stderr, 'CgroupDriver'), /\[WARNING CgroupDriver\]: /);
    assert.doesNotMatch(stderr, /\[ERROR /);
  });

  test('clocks that differ', async () => {
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({ commonName: 'x', validity });
    const key = encodePrivateKey(authority.key).reveal();
    const server = createServer({ cert: authority.certificatePem, key }, (_request, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      assert.ok(address !== null && typeof address === 'object');
      const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken:
    apiServerEndpoint: 127.0.0.1:${address.port}
    token: abcdef.0123456789abcdef
    unsafeSkipCAVerification: true
timeouts:
  discovery: 1s
`;
      const root = rootWith({ '/join.yaml': configuration });
      const { code, stderr } = await slipway(root, ['preflight', 'join', '--config', '/join.yaml']);
      assert.equal(code, 2, stderr);
      assert.match(about(stderr, 'ClockSkew'), /ERROR ClockSkew\]: .*60 minutes ahead/);
      assert.match(about(stderr, 'ClockSkew'), /fix: .*chrony/);
    } finally {
      server.close();
    }
  });

  suite('of a cluster', () => {
    let cluster: EmbeddedCluster;
    let root = '';
    before(async () => {
      cluster = await startEmbeddedCluster();
      const store = async (name: string, content: Record<string, string>) => {
        const metadata = { namespace: 'kube-system', name };
        const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: content };
        await cluster.client.create(configMaps, object);
      };
      await store('kubeadm-config', {
        ClusterConfiguration:
          'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n',
      });
      await store('kubelet-config', {
        kubelet:
          'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDNS: [172.20.0.10]\n',
      });
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w1' } };
      await cluster.client.create(nodes, node);
      const status = { addresses: [{ type: 'InternalIP', address: '10.0.2.15' }] };
      const patch = { type: 'merge' as const, body: { status } };
      await cluster.client.patch(nodes, { namespace: '', name: 'w1' }, patch, {
        subresource: 'status',
      });
      root = rootWith({ '/root/discovery.conf': await cluster.kubeconfig() });
    });
    after(async () => await cluster[Symbol.asyncDispose]());

    test('NAT address that another node has, and cluster DNS of another subnet', async () => {
      const { code, stderr } = await slipway(root, [
        ...['preflight', 'join', '--discovery-file', '/root/discovery.conf'],
        ...['--node-name', 'w2', '--node-ip', '10.0.2.15'],
      ]);
      assert.equal(code, 2, stderr);
      assert.match(about(stderr, 'NodeAddress'), /ERROR .*10\.0\.2\.15 is the address of node w1/);
      assert.match(about(stderr, 'NodeAddress'), /fix: .*--node-ip/);
      assert.match(
        about(stderr, 'ServiceSubnet'),
        /ERROR .*172\.20\.0\.10 is not in service subnet/,
      );
      assert.doesNotMatch(stderr, /ClockSkew/);
    });

    test('the node itself has its address', async () => {
      const { stderr } = await slipway(root, [
        ...['preflight', 'join', '--discovery-file', '/root/discovery.conf'],
        ...['--node-name', 'w1', '--node-ip', '10.0.2.16'],
      ]);
      assert.equal(about(stderr, 'NodeAddress'), '');
    });
  });
});
