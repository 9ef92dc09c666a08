import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { bareGround } from '../testing/bare-ground.ts';
import { migrateFile } from './migrate-file.ts';

type Documents = Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>>;

suite('old configurations', () => {
  const ground = bareGround();

  async function migrate(
    text: string,
  ): Promise<{ documents: Documents; codes: readonly string[] }> {
    const { value = '', issues } = await migrateFile({ text, ground });
    const parsed = parseAllDocuments(value);
    const objects = 'empty' in parsed ? [] : parsed.map((document) => document.toJS());
    const documents = Object.fromEntries(objects.map((object) => [object.kind, object]));
    return { documents, codes: issues.map(({ code, path }) => `${code.split('.')[2]} ${path}`) };
  }

  test('MasterConfiguration becomes two documents, and those it held', async () => {
    const { documents, codes } = await migrate(`apiVersion: kubeadm.k8s.io/v1alpha1
kind: MasterConfiguration
api: {advertiseAddress: 10.0.0.1, bindPort: 7443}
kubernetesVersion: v1.37.2
imageRepository: gcr.io/google_containers
apiServerExtraArgs: {z: '1', a: '2'}
apiServerCertSANs: [api.example.com]
authorizationModes: [Node, RBAC]
apiServerExtraVolumes:
- {name: v, hostPath: /h, mountPath: /m, writable: false}
cloudProvider: aws
noTaintMaster: true
token: abcdef.0123456789abcdef
kubeProxy: {config: {mode: nftables}}
`);
    const init = documents['InitConfiguration'] ?? {};
    assert.deepEqual(init['localAPIEndpoint'], { advertiseAddress: '10.0.0.1', bindPort: 7443 });
    assert.deepEqual((init['nodeRegistration'] as { taints: unknown }).taints, []);
    const cluster = documents['ClusterConfiguration'] ?? {};
    assert.equal(cluster['imageRepository'], 'registry.k8s.io');
    assert.deepEqual(cluster['apiServer'], {
      certSANs: ['api.example.com'],
      extraArgs: [
        { name: 'a', value: '2' },
        { name: 'z', value: '1' },
        { name: 'authorization-mode', value: 'Node,RBAC' },
      ],
      extraVolumes: [{ name: 'v', hostPath: '/h', mountPath: '/m', readOnly: true }],
    });
    assert.equal(documents['KubeProxyConfiguration']?.['mode'], 'nftables');
    assert.deepEqual(codes, ['old-version apiVersion', 'field-dropped cloudProvider']);
  });

  const endpoints = ['https://10.0.0.1:2379'];
  for (const [version, given, want] of [
    ['v1.34.4', '', undefined],
    ['v1.34.4', ', httpEndpoints: ["http://10.0.0.1:2381"]', ['http://10.0.0.1:2381']],
    ['v1.35.4', '', endpoints],
  ] as const) {
    test(`httpEndpoints of ${version}: ${want ?? 'its kubeadm does not know them'}`, async () => {
      const { documents } = await migrate(`apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: ${version}
etcd: {external: {endpoints: ${JSON.stringify(endpoints)}, caFile: /a, certFile: /b, keyFile: /c${given}}}
`);
      const { etcd } = documents['ClusterConfiguration'] ?? {};
      const { external } = etcd as { external: { httpEndpoints?: unknown } };
      assert.deepEqual(external.httpEndpoints, want);
    });
  }

  test('NodeConfiguration becomes JoinConfiguration; the first server is asked', async () => {
    const { documents } = await migrate(`apiVersion: kubeadm.k8s.io/v1alpha1
kind: NodeConfiguration
token: abcdef.0123456789abcdef
discoveryTokenAPIServers: ['10.0.0.1:6443', '10.0.0.2:6443']
discoveryTokenUnsafeSkipCAVerification: true
nodeName: w1
`);
    assert.deepEqual(documents['JoinConfiguration']?.['discovery'], {
      bootstrapToken: {
        apiServerEndpoint: '10.0.0.1:6443',
        token: 'abcdef.0123456789abcdef',
        unsafeSkipCAVerification: true,
      },
      tlsBootstrapToken: 'abcdef.0123456789abcdef',
    });
  });

  test('v1beta3: maps of arguments are lists by name, timeouts and keys have their fields', async () => {
    const { documents, codes } = await migrate(`apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
apiServer: {timeoutForControlPlane: 6m, extraArgs: {z: '1', a: '2'}}
featureGates: {PublicKeysECDSA: true}
`);
    const timeouts = documents['InitConfiguration']?.['timeouts'] as Record<string, unknown>;
    assert.equal(timeouts['controlPlaneComponentHealthCheck'], '6m0s');
    const cluster = documents['ClusterConfiguration'] ?? {};
    assert.equal(cluster['encryptionAlgorithm'], 'ECDSA-P256');
    assert.deepEqual(cluster['apiServer'], {
      extraArgs: [
        { name: 'a', value: '2' },
        { name: 'z', value: '1' },
      ],
    });
    assert.deepEqual(codes, [
      'old-version apiVersion',
      'field-dropped featureGates.PublicKeysECDSA',
    ]);
  });
});
