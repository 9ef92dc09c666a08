import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, type Reply, RunningServer } from '../testing/running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

describe('verbs', () => {
  let server: RunningServer;
  let admin: Client;
  before(async () => {
    server = await RunningServer.start();
    admin = server.client();
  });
  after(() => server[Symbol.asyncDispose]());

  type Case = {
    name: string;
    method: string;
    path: string;
    body?: unknown;
    contentType?: string;
    code: number;
    reason?: string;
    message?: string | RegExp;
  };
  const cases: readonly Case[] = [
    {
      name: 'an unknown object',
      method: 'GET',
      path: `${configMaps}/nope`,
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "nope" not found',
    },
    {
      name: 'an unknown resource of a known version',
      method: 'GET',
      path: '/api/v1/widgets',
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    },
    { name: 'an unknown group', method: 'GET', path: '/apis/ex.io/v1/widgets', code: 404 },
    { name: 'a path with a hidden slash', method: 'GET', path: '/api/v1/nodes/a%2fb', code: 404 },
    {
      name: 'creating what exists',
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: 'default' } },
      code: 409,
      reason: 'AlreadyExists',
      message: 'namespaces "default" already exists',
    },
    {
      name: 'creating without a name',
      method: 'POST',
      path: configMaps,
      body: { metadata: {} },
      code: 422,
      reason: 'Invalid',
      message:
        /ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required/,
    },
    {
      name: 'creating with a bad name',
      method: 'POST',
      path: configMaps,
      body: { metadata: { name: 'A_b' } },
      code: 422,
      reason: 'Invalid',
      message: /metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist/,
    },
    {
      name: 'creating with a resourceVersion',
      method: 'POST',
      path: configMaps,
      body: { metadata: { name: 'a', resourceVersion: '1' } },
      code: 400,
      message: 'resourceVersion should not be set on objects to be created',
    },
    {
      name: 'creating in another namespace than the path',
      method: 'POST',
      path: configMaps,
      body: { metadata: { name: 'a', namespace: 'kube-system' } },
      code: 400,
      message:
        'the namespace of the provided object does not match the namespace sent on the request',
    },
    {
      name: 'a value of the wrong type',
      method: 'POST',
      path: configMaps,
      body: { metadata: { name: 'a' }, data: { a: 1 } },
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
    {
      name: 'an unknown field under Strict',
      method: 'POST',
      path: `${configMaps}?fieldValidation=Strict`,
      body: '{"metadata":{"name":"a","x":1},"foo":{},"data":{"a":"1","a":"2"}}',
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.x", unknown field "foo", duplicate field "data.a"',
    },
    {
      name: 'a media type that is not read',
      method: 'POST',
      path: configMaps,
      body: 'x',
      contentType: 'application/cbor',
      code: 415,
      reason: 'UnsupportedMediaType',
    },
    {
      name: 'a field that nothing is selected by',
      method: 'GET',
      path: '/api/v1/pods?fieldSelector=spec.foo%3Dx',
      code: 400,
      message: 'field label not supported: spec.foo',
    },
    {
      name: 'a resourceVersionMatch without resourceVersion',
      method: 'GET',
      path: '/api/v1/pods?resourceVersionMatch=Exact',
      code: 422,
      message:
        /resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided/,
    },
    {
      name: 'a revision of the future',
      method: 'GET',
      path: '/api/v1/pods?resourceVersion=999999&resourceVersionMatch=NotOlderThan',
      code: 504,
      reason: 'Timeout',
      message: /Too large resource version: 999999, current: \d+/,
    },
    {
      name: 'server-side apply',
      method: 'PATCH',
      path: `${configMaps}/kube-root-ca.crt`,
      body: {},
      contentType: 'application/apply-patch+yaml',
      code: 415,
    },
    {
      name: 'a verb that a kind has not',
      method: 'GET',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      code: 405,
    },
    {
      name: 'deleting with another uid',
      method: 'DELETE',
      path: '/api/v1/namespaces/default',
      body: { preconditions: { uid: 'x' } },
      code: 409,
      message: /Precondition failed: UID in precondition: x, UID in object meta: /,
    },
  ];

  for (const { name, method, path, body, contentType, code, reason, message } of cases) {
    test(`refuses ${name}`, async () => {
      const reply = await admin.call(
        method,
        path,
        body,
        contentType === undefined ? {} : { contentType },
      );
      assert.equal(reply.code, code, reply.text);
      if (reason !== undefined) assert.equal(reply.json.reason, reason);
      if (typeof message === 'string') assert.equal(reply.json.message, message);
      if (message instanceof RegExp) assert.match(reply.json.message, message);
    });
  }

  async function ok(
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<Reply> {
    const reply = await admin.call(
      method,
      path,
      body,
      contentType === undefined ? {} : { contentType },
    );
    assert.ok(reply.code < 300, reply.text);
    return reply;
  }

  test('create, read, replace, patch and delete', async () => {
    const created = (await ok('POST', configMaps, configMap('life', { a: '1' }))).json;
    assert.match(created.metadata.uid, /^[0-9a-f-]{36}$/);
    assert.match(created.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const replaced = (await ok('PUT', `${configMaps}/life`, { ...created, data: { a: '2' } })).json;
    assert.notEqual(replaced.metadata.resourceVersion, created.metadata.resourceVersion);
    const stale = await admin.call('PUT', `${configMaps}/life`, { ...created, data: { a: '3' } });
    assert.equal(stale.code, 409);
    assert.equal(
      stale.json.message,
      'Operation cannot be fulfilled on configmaps "life": the object has been modified; please apply your changes to the latest version and try again',
    );
    const patch = { data: { b: '4' } };
    const patched = await ok('PATCH', `${configMaps}/life`, patch, 'application/merge-patch+json');
    assert.deepEqual(patched.json.data, { a: '2', b: '4' });
    const same = await ok('PATCH', `${configMaps}/life`, patch, 'application/merge-patch+json');
    assert.equal(same.json.metadata.resourceVersion, patched.json.metadata.resourceVersion);
    const deleted = (await ok('DELETE', `${configMaps}/life`)).json;
    assert.deepEqual(deleted.details, {
      name: 'life',
      kind: 'configmaps',
      uid: created.metadata.uid,
    });
    assert.equal((await admin.call('GET', `${configMaps}/life`)).code, 404);
  });

  test('generateName makes names', async () => {
    const { json } = await ok('POST', configMaps, { metadata: { generateName: 'made-' } });
    assert.match(json.metadata.name, /^made-[a-z0-9]{5}$/);
  });

  test('dry run answers and stores nothing', async () => {
    const { json } = await ok('POST', `${configMaps}?dryRun=All`, configMap('dry'));
    assert.equal(json.metadata.name, 'dry');
    assert.equal((await admin.call('GET', `${configMaps}/dry`)).code, 404);
  });

  test('unknown fields are warnings by default', async () => {
    const reply = await ok('POST', configMaps, { ...configMap('warned'), foo: 1 });
    assert.equal(reply.headers['warning'], '299 - "unknown field \\"foo\\""');
    assert.equal(reply.json.foo, undefined);
  });

  test('finalizers hold an object until they are gone', async () => {
    await ok('POST', configMaps, configMap('held', {}, { finalizers: ['ex.io/hold'] }));
    const { json } = await ok('DELETE', `${configMaps}/held`);
    assert.ok(json.metadata.deletionTimestamp);
    const added = [{ op: 'add', path: '/metadata/finalizers/-', value: 'ex.io/more' }];
    const refused = await admin.call('PATCH', `${configMaps}/held`, added, {
      contentType: 'application/json-patch+json',
    });
    assert.match(
      refused.json.message,
      /no new finalizers can be added if the object is being deleted/,
    );
    const freed = { metadata: { finalizers: null } };
    await ok('PATCH', `${configMaps}/held`, freed, 'application/merge-patch+json');
    assert.equal((await admin.call('GET', `${configMaps}/held`)).code, 404);
  });

  test('status is written through its subresource only', async () => {
    const node = {
      metadata: { name: 'n1' },
      spec: { podCIDR: '10.0.0.0/24' },
      status: { phase: 'Running' },
    };
    const created = (await ok('POST', '/api/v1/nodes', node)).json;
    assert.equal(created.status, undefined);
    const changed = { ...created, spec: {}, status: { phase: 'Running' } };
    const { json } = await ok('PUT', '/api/v1/nodes/n1/status', changed);
    assert.deepEqual([json.spec, json.status], [{ podCIDR: '10.0.0.0/24' }, { phase: 'Running' }]);
    const main = await ok('PUT', '/api/v1/nodes/n1', { ...json, status: { phase: 'Pending' } });
    assert.equal(main.json.status.phase, 'Running');
  });

  test('pages are of one revision; the token of the last page is absent', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5'];
    for (const name of names)
      await ok('POST', configMaps, configMap(name, {}, { labels: { page: 'y' } }));
    const first = (await ok('GET', `${configMaps}?limit=2&labelSelector=page`)).json;
    await ok('DELETE', `${configMaps}/p3`);
    await ok('POST', configMaps, configMap('p31', {}, { labels: { page: 'y' } }));
    const seen = first.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    let token = first.metadata.continue;
    while (token) {
      const { json } = await ok(
        'GET',
        `${configMaps}?limit=2&labelSelector=page&continue=${token}`,
      );
      assert.equal(json.metadata.resourceVersion, first.metadata.resourceVersion);
      seen.push(...json.items.map((item: { metadata: { name: string } }) => item.metadata.name));
      token = json.metadata.continue;
    }
    assert.deepEqual(seen, names);
  });

  test('deletecollection takes what the selector names', async () => {
    for (const name of ['dc1', 'dc2'])
      await ok('POST', configMaps, configMap(name, {}, { labels: { dc: 'y' } }));
    const { json } = await ok('DELETE', `${configMaps}?labelSelector=dc%3Dy`);
    assert.equal(json.items.length, 2);
    assert.equal((await ok('GET', `${configMaps}?labelSelector=dc`)).json.items.length, 0);
  });

  test('tables and metadata only', async () => {
    const table = await admin.call('GET', '/api/v1/namespaces', undefined, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    });
    assert.deepEqual(
      table.json.columnDefinitions.map((column: { name: string }) => column.name),
      ['Name', 'Status', 'Age'],
    );
    assert.deepEqual(table.json.rows[0].cells.slice(0, 2), ['default', 'Active']);
    assert.equal(table.json.rows[0].object.kind, 'PartialObjectMetadata');
    const partial = await admin.call('GET', '/api/v1/namespaces', undefined, {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    });
    assert.equal(partial.json.kind, 'PartialObjectMetadataList');
    assert.equal(partial.json.items[0].spec, undefined);
    const neither = await admin.call('GET', '/api/v1/namespaces', undefined, {
      headers: { accept: 'application/cbor' },
    });
    assert.equal(neither.code, 406);
  });

  test('a big list is compressed for those who take it', async () => {
    const filler = 'x'.repeat(150_000);
    await ok('POST', configMaps, configMap('big', { filler }));
    const reply = await admin.call('GET', `${configMaps}/big`, undefined, {
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(reply.headers['content-encoding'], 'gzip');
    assert.equal((await ok('GET', `${configMaps}/big`)).json.data.filler, filler);
  });

  test('who shows no certificate sees nothing', async () => {
    const nobody = server.client(null);
    const { code, json } = await nobody.call('GET', '/api/v1/nodes');
    assert.equal(code, 403);
    assert.equal(
      json.message,
      'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    assert.equal((await nobody.call('GET', '/readyz')).text, 'ok');
  });

  test('impersonation is checked and obeyed', async () => {
    const asBob = { headers: { 'impersonate-user': 'bob' } };
    assert.equal((await admin.call('GET', '/api/v1/nodes', undefined, asBob)).code, 403);
  });

  test('everything is there after a restart', async () => {
    await ok('POST', configMaps, configMap('lasting', { a: '1' }));
    const wanted = (await ok('GET', `${configMaps}/lasting`)).json;
    await server.restart();
    admin = server.client();
    assert.deepEqual((await ok('GET', `${configMaps}/lasting`)).json, wanted);
  });
});
