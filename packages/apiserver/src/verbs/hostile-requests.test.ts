import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, RunningServer } from '../testing/running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

function forged(revision: number): string {
  const token = { v: 'meta.k8s.io/v1', rv: revision, start: '' };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

type Case = {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  code: number;
  message?: RegExp;
};

describe('hostile requests', () => {
  let server: RunningServer;
  let admin: Client;
  before(async () => {
    server = await RunningServer.start();
    admin = server.client();
  });
  after(() => server[Symbol.asyncDispose]());

  const cases: readonly Case[] = [
    { name: 'a path without a name', method: 'GET', path: '//', code: 404 },
    { name: 'a path with an authority', method: 'GET', path: '//[:99999999/', code: 404 },
    ...[
      { gracePeriodSeconds: 'abc' },
      { gracePeriodSeconds: 1e300 },
      { propagationPolicy: 'Junk' },
      { orphanDependents: true, propagationPolicy: 'Orphan' },
      { dryRun: 'All' },
      { dryRun: 5 },
      { dryRun: ['Junk'] },
      { preconditions: 5 },
      { preconditions: { uid: 5 } },
    ].map((body) => ({
      name: `deleting with ${JSON.stringify(body)}`,
      method: 'DELETE',
      path: '/api/v1/namespaces/default',
      body,
      code: /Junk|Orphan/.test(JSON.stringify(body)) ? 422 : 400,
    })),
    {
      name: 'deleting with a grace that is no number',
      method: 'DELETE',
      path: '/api/v1/namespaces/default?gracePeriodSeconds=abc',
      code: 400,
    },
    {
      name: 'an owner that names nothing',
      method: 'POST',
      path: configMaps,
      body: configMap('owned', { ownerReferences: [{ kind: 'A', name: 'b', uid: 'c' }] }),
      code: 422,
      message: /metadata.ownerReferences\[0\].apiVersion: Invalid value: "": apiVersion must not/,
    },
    {
      name: 'a page of a revision that is not yet',
      method: 'GET',
      path: `${configMaps}?continue=${forged(10 ** 15)}`,
      code: 504,
    },
  ];

  for (const { name, method, path, body, code, message } of cases) {
    test(`refuses ${name}`, async () => {
      const reply = await admin.call(method, path, body);
      assert.equal(reply.code, code, reply.text);
      if (message !== undefined) assert.match(reply.json.message, message);
    });
  }

  test('warnings reach the client whatever they say', async () => {
    const odd = JSON.stringify({ ...configMap('odd'), '世界\u007f\ud800\n': 1 });
    const { code, headers } = await admin.call('POST', configMaps, odd);
    assert.equal(code, 201);
    const warning = Buffer.from(headers['warning'] as unknown as string, 'latin1').toString('utf8');
    assert.match(warning, /unknown field ..世界/);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1]));
    const reply = await admin.call('POST', configMaps, { ...configMap('many'), ...many });
    assert.match(String(reply.headers['warning']), /4950 more warnings/);
  });

  test('a watch of years stays open', async () => {
    const watch = await admin.watch(
      `${configMaps}?watch=1&timeoutSeconds=100000000&resourceVersion=0`,
    );
    await admin.call('POST', configMaps, configMap('late'));
    for await (const { object } of watch) if (object.metadata.name === 'late') break;
    watch.close();
  });
});
