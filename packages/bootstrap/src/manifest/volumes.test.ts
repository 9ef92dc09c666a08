import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { certificateVolumes, externalEtcdVolumes, withExtraVolumes } from './volumes.ts';

const pki = '/etc/kubernetes/pki';

suite('externalEtcdVolumes', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: readonly [string, string, string];
    readonly want: readonly string[];
  }[] = [
    { name: 'none', given: ['', '', ''], want: [] },
    {
      name: 'one folder of all three',
      given: ['/srv/etcd/ca', '/srv/etcd/crt', '/srv/etcd/key'],
      want: ['/srv/etcd'],
    },
    {
      name: 'a parent covers its children, in any order',
      given: ['/srv/etcd/a/ca', '/srv/etcd/crt', '/srv/etcd/b/key'],
      want: ['/srv/etcd'],
    },
    {
      name: 'a folder whose name goes on is no child',
      given: ['/etc/etcd/ca', '/etc/etcd-extra/crt', '/etc/etcd/sub/key'],
      want: ['/etc/etcd', '/etc/etcd-extra'],
    },
    {
      name: 'nor is it covered by the certificates of the cluster or the system',
      given: ['/etc/kubernetes/pki-etcd/ca', '/etc/ssl/certs2/crt', '/etc/pki/ca-trust.d/key'],
      want: ['/etc/kubernetes/pki-etcd', '/etc/pki/ca-trust.d', '/etc/ssl/certs2'],
    },
    {
      name: 'what is mounted already is covered',
      given: [`${pki}/etcd/ca`, '/etc/ssl/certs/crt', '/etc/pki/tls/certs/key'],
      want: [],
    },
    {
      name: 'ways with detours',
      given: ['/srv//etcd/ca', '/srv/etcd/../etcd/crt', '/srv/etcd/./key'],
      want: ['/srv/etcd'],
    },
    { name: 'the root covers everything', given: ['/ca', '/srv/crt', ''], want: ['/'] },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const [caFile, certFile, keyFile] = given;
      const volumes = externalEtcdVolumes({ endpoints: [], caFile, certFile, keyFile }, pki);
      assert.deepEqual(
        volumes.map((volume) => volume.hostPath),
        want,
      );
      assert.deepEqual(
        volumes.map((volume) => volume.name),
        want.map((_, index) => `etcd-certs-${index}`),
      );
      assert.ok(volumes.every(({ readOnly }) => readOnly));
    });
  }
});

suite('certificateVolumes', () => {
  test('folders that the host does not have are not made by mounting them', () => {
    const names = (existing: readonly string[]) =>
      certificateVolumes(pki, existing).map(({ name }) => name);
    assert.deepEqual(names([]), ['k8s-certs', 'ca-certs']);
    assert.deepEqual(names(['/etc/pki/ca-trust', '/not/known']), [
      'k8s-certs',
      'ca-certs',
      'etc-pki-ca-trust',
    ]);
  });
});

suite('withExtraVolumes', () => {
  test('one of the same name replaces; what is not said is writable and not checked', () => {
    const merged = withExtraVolumes(certificateVolumes(pki, []), [
      { name: 'ca-certs', hostPath: '/srv', mountPath: '/etc/ssl/certs' },
    ]);
    assert.deepEqual(merged[1], {
      name: 'ca-certs',
      hostPath: '/srv',
      mountPath: '/etc/ssl/certs',
      readOnly: false,
      pathType: '',
    });
    assert.equal(merged.length, 2);
  });
});
