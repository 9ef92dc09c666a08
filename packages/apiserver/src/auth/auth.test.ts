import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type RequestAttributes, StatusError, type User } from '../contract.ts';
import { admin, type Bench, startBench } from '../local-bench.test.ts';

const node: User = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const bob: User = { name: 'bob', groups: ['dev', 'system:authenticated'] };
const nobody: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const joining: User = {
  name: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers:kubeadm:default-node-token', 'system:authenticated'],
};
const rbac = 'rbac.authorization.k8s.io';

function resource(user: User, line: string): RequestAttributes {
  const [verb = '', path = '', name, selector] = line.split(' ');
  const [where = '', subresource] = path.split('/');
  const [plural = '', ...group] = where.split('.');
  const [namespace, only] = plural.includes(':') ? plural.split(':') : [undefined, plural];
  return {
    user,
    verb,
    apiGroup: group.join('.'),
    resource: only ?? '',
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined || name === '-' ? {} : { name }),
    ...(selector === undefined ? {} : { fieldSelector: selector }),
  };
}

async function prepare(bench: Bench): Promise<void> {
  const role = (metadata: object, rules: object[]) => ({
    apiVersion: `${rbac}/v1`,
    kind: 'namespace' in metadata ? 'Role' : 'ClusterRole',
    metadata,
    rules,
  });
  await bench.create(
    role({ name: 'reader' }, [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] },
      { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'] },
      { verbs: ['patch'], apiGroups: ['apps'], resources: ['*/scale'] },
      { verbs: ['get'], nonResourceURLs: ['/logs/*'] },
    ]),
  );
  await bench.create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'readers' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'reader' },
    subjects: [{ kind: 'Group', apiGroup: rbac, name: 'dev' }],
  });
  await bench.create(
    role({ name: 'writer', namespace: 'default' }, [
      { verbs: ['create'], apiGroups: [''], resources: ['secrets'] },
      { verbs: ['create', 'update'], apiGroups: [rbac], resources: ['roles', 'rolebindings'] },
    ]),
  );
  await bench.create({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'writers', namespace: 'default' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'writer' },
    subjects: [{ kind: 'User', apiGroup: rbac, name: 'bob' }],
  });
  const pod = (name: string, nodeName: string, secret: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: `cm-${name}` } }] }],
      volumes: [{ name: 'v', secret: { secretName: secret } }],
    },
  });
  await bench.create(pod('own', 'n1', 'own-secret'));
  await bench.create(pod('other', 'n2', 'other-secret'));
}

suite('authorizer', async () => {
  const bench = await startBench();
  await prepare(bench);
  const { authorizer } = bench.extensions;
  const cases: { user: User; line: string; want: boolean }[] = [
    { user: admin, line: 'delete nodes n1', want: true },
    { user: bob, line: 'get pods p', want: true },
    { user: bob, line: 'list default:pods', want: true },
    { user: bob, line: 'watch pods', want: false },
    { user: bob, line: 'get default:pods/log p', want: true },
    { user: bob, line: 'get default:pods/status p', want: false },
    { user: bob, line: 'update default:configmaps mine', want: true },
    { user: bob, line: 'update default:configmaps yours', want: false },
    { user: bob, line: 'list default:configmaps', want: false },
    { user: bob, line: 'list default:configmaps - metadata.name=mine', want: true },
    { user: bob, line: 'list default:configmaps - metadata.name!=mine', want: false },
    { user: bob, line: 'patch default:deployments.apps/scale d', want: true },
    { user: bob, line: 'patch default:deployments.apps d', want: false },
    { user: bob, line: 'create default:secrets', want: true },
    { user: bob, line: 'create kube-system:secrets', want: false },
    { user: bob, line: 'create selfsubjectaccessreviews.authorization.k8s.io', want: true },
    { user: nobody, line: 'get kube-public:configmaps cluster-info', want: true },
    { user: nobody, line: 'get kube-public:configmaps other', want: false },
    { user: nobody, line: 'list nodes', want: false },
    { user: joining, line: 'create certificatesigningrequests.certificates.k8s.io', want: true },
    {
      user: joining,
      line: 'create certificatesigningrequests.certificates.k8s.io/nodeclient',
      want: true,
    },
    { user: joining, line: 'get nodes n1', want: true },
    { user: joining, line: 'list nodes', want: false },
    { user: node, line: 'get nodes n1', want: true },
    { user: node, line: 'get nodes n2', want: false },
    { user: node, line: 'list nodes', want: false },
    { user: node, line: 'watch nodes - metadata.name=n1', want: true },
    { user: node, line: 'watch nodes - metadata.name=n2', want: false },
    { user: node, line: 'patch nodes/status n1', want: true },
    { user: node, line: 'delete nodes n1', want: false },
    { user: node, line: 'list pods', want: false },
    { user: node, line: 'list pods - spec.nodeName=n1', want: true },
    { user: node, line: 'list pods - spec.nodeName=n2', want: false },
    { user: node, line: 'get default:pods own', want: true },
    { user: node, line: 'get default:pods other', want: false },
    { user: node, line: 'create default:pods/eviction own', want: true },
    { user: node, line: 'patch default:pods own', want: false },
    { user: node, line: 'get default:secrets own-secret', want: true },
    { user: node, line: 'get default:secrets other-secret', want: false },
    { user: node, line: 'list default:secrets', want: false },
    { user: node, line: 'get default:configmaps cm-own', want: true },
    { user: node, line: 'get default:configmaps cm-other', want: false },
    { user: node, line: 'update kube-node-lease:leases.coordination.k8s.io n1', want: true },
    { user: node, line: 'update kube-node-lease:leases.coordination.k8s.io n2', want: false },
    { user: node, line: 'list kube-node-lease:leases.coordination.k8s.io', want: false },
    { user: node, line: 'get default:leases.coordination.k8s.io n1', want: false },
    { user: node, line: 'create default:events', want: true },
    {
      user: node,
      line: 'create certificatesigningrequests.certificates.k8s.io/selfnodeclient',
      want: true,
    },
    { user: { ...node, groups: ['system:authenticated'] }, line: 'get nodes n1', want: false },
  ];
  for (const { user, line, want } of cases) {
    test(`${user.name}: ${line}`, () => {
      assert.equal(authorizer.authorize(resource(user, line)).allowed, want);
    });
  }

  const paths = [
    { user: bob, path: '/logs/x', want: true },
    { user: bob, path: '/metrics', want: false },
    { user: bob, path: '/apis/apps', want: true },
    { user: nobody, path: '/version', want: true },
    { user: nobody, path: '/api', want: false },
  ];
  for (const { user, path, want } of paths) {
    test(`${user.name}: ${path}`, () => {
      assert.equal(authorizer.authorize({ user, verb: 'get', path }).allowed, want);
    });
  }

  test("reasons are upstream's", () => {
    assert.equal(
      authorizer.authorize(resource(bob, 'get pods p')).reason,
      'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "dev"',
    );
    assert.equal(
      authorizer.authorize(resource(node, 'get nodes n2')).reason,
      "node 'n1' cannot read 'n2', only its own Node object",
    );
  });

  test('changes of roles count at once', async () => {
    const bindings = bench.definition(rbac, 'clusterrolebindings');
    const carol: User = { name: 'carol', groups: [] };
    assert.equal(authorizer.authorize(resource(carol, 'get pods p')).allowed, false);
    await bench.access.update(bindings, undefined, 'readers', (object) => ({
      ...object,
      subjects: [
        ...(object['subjects'] as object[]),
        { kind: 'User', apiGroup: rbac, name: 'carol' },
      ],
    }));
    assert.equal(authorizer.authorize(resource(carol, 'get pods p')).allowed, true);
  });

  test('edit and view are aggregated', () => {
    const view = bench.get(rbac, 'clusterroles', 'view')?.['rules'] as unknown[];
    const edit = bench.get(rbac, 'clusterroles', 'edit')?.['rules'] as unknown[];
    assert.ok(view.length > 0);
    assert.ok(edit.length > view.length);
  });

  test('nobody grants what they do not have', async () => {
    const grant = (rules: object[]) =>
      bench.create(
        {
          apiVersion: `${rbac}/v1`,
          kind: 'Role',
          metadata: { name: 'r', namespace: 'default' },
          rules,
        },
        bob,
      );
    await assert.rejects(
      grant([{ verbs: ['get', 'delete'], apiGroups: [''], resources: ['pods'] }]),
      (error) =>
        error instanceof StatusError &&
        error.message ===
          'roles.rbac.authorization.k8s.io "r" is forbidden: user "bob" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
    );
    await grant([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]);
    await assert.rejects(
      bench.create(
        {
          apiVersion: `${rbac}/v1`,
          kind: 'RoleBinding',
          metadata: { name: 'b', namespace: 'default' },
          roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: [{ kind: 'User', apiGroup: rbac, name: 'bob' }],
        },
        bob,
      ),
      /not currently held/,
    );
  });

  test('bootstrap tokens', async () => {
    const secret = (id: string, more: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', ...more },
    });
    const use = { 'usage-bootstrap-authentication': 'true' };
    const group = 'system:bootstrappers:kubeadm:default-node-token';
    await bench.create(secret('aaaaaa', { ...use, 'auth-extra-groups': group }));
    await bench.create(secret('bbbbbb', {}));
    await bench.create(
      secret('cccccc', {
        ...use,
        expiration: '2099-01-01T00:00:00Z',
        'auth-extra-groups': 'system:masters',
      }),
    );
    const ask = (bearerToken: string) =>
      bench.extensions.authenticator.authenticate({ bearerToken });
    assert.deepEqual(await ask('aaaaaa.0123456789abcdef'), {
      name: 'system:bootstrap:aaaaaa',
      groups: ['system:bootstrappers', group, 'system:authenticated'],
    });
    for (const token of [
      'aaaaaa.0123456789abcdeg',
      'bbbbbb.0123456789abcdef',
      'cccccc.0123456789abcdef',
      'x',
    ]) {
      assert.equal(await ask(token), undefined, token);
    }
    assert.deepEqual(await bench.extensions.authenticator.authenticate({}), nobody);
  });

  after(() => bench[Symbol.asyncDispose]());
});
