import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@slipway/base';
import type { Answer } from '../http/answer.ts';
import { OpenApi } from '../openapi/open-api.ts';
import { builtinKinds } from '../registry/builtin-kinds.ts';
import { createCatalogue } from '../registry/catalogue.ts';
import { reviewKinds } from '../registry/review-kinds.ts';
import { Discovery } from './discovery.ts';

const catalogue = createCatalogue([...builtinKinds(systemClock), ...reviewKinds]);
const discovery = new Discovery(catalogue, () => '127.0.0.1:6443');
const openApi = new OpenApi(catalogue);
const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,application/json';

// biome-ignore lint/suspicious/noExplicitAny: tests look into arbitrary documents
function json(answer: Answer | undefined): any {
  if (answer?.kind !== 'body') throw new Error('no body');
  return JSON.parse([...answer.body].join(''));
}

const ask = (path: string, accept?: string, ifNoneMatch?: string) =>
  discovery.answer({ path, accept, ifNoneMatch });
const read = (path: string, query = '', accept?: string) =>
  openApi.answer({
    path,
    method: 'GET',
    query: new URLSearchParams(query),
    accept,
    ifNoneMatch: undefined,
  });

test('an eviction is a subresource of pods that speaks policy/v1', () => {
  const row = json(ask('/api/v1')).resources.find(
    (entry: { name: string }) => entry.name === 'pods/eviction',
  );
  assert.deepEqual(row, {
    name: 'pods/eviction',
    singularName: '',
    namespaced: true,
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    verbs: ['create'],
  });
});

test('aggregated discovery echoes its media type, and says the same as the legacy one', () => {
  const answer = ask('/apis', aggregated);
  assert.ok(answer?.kind === 'body');
  assert.equal(
    answer.contentType,
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );
  const names = json(answer).items.map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );
  assert.deepEqual(
    names,
    json(ask('/apis')).groups.map((group: { name: string }) => group.name),
  );
  assert.equal(json(ask('/api', aggregated)).items.length, 1);
});

test('a known ETag is answered with 304 until the catalogue changes', () => {
  const first = ask('/apis');
  assert.ok(first?.kind === 'body');
  const etag = first.headers?.['etag'];
  assert.equal(
    ask('/apis', undefined, etag)?.kind === 'body' &&
      (ask('/apis', undefined, etag) as { code: number }).code,
    304,
  );
  const [sample] = builtinKinds(systemClock);
  assert.ok(sample);
  catalogue.add({ ...sample, group: 'ex.io', plural: 'widgets', custom: true });
  assert.equal((ask('/apis', undefined, etag) as { code: number }).code, 200);
  catalogue.remove('ex.io', 'v1', 'widgets');
});

for (const path of ['/apis/ex.io', '/apis/apps/v2', '/api/v2', '/apis/apps/v1/x', '/nope']) {
  test(`nothing is known of ${path}`, () => assert.equal(ask(path), undefined));
}

test('every reference of a document leads to a schema of it', () => {
  for (const name of Object.keys(json(read('/openapi/v3')).paths)) {
    const document = json(read(`/openapi/v3/${name}`));
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, target = ''] of references)
      assert.ok(document.components.schemas[target], target);
  }
});

test('patch operations tell kubectl the types and the query parameters', () => {
  const { patch } = json(read('/openapi/v3/api/v1')).paths[
    '/api/v1/namespaces/{namespace}/pods/{name}'
  ];
  assert.deepEqual(patch['x-kubernetes-group-version-kind'], {
    group: '',
    version: 'v1',
    kind: 'Pod',
  });
  assert.ok(patch.requestBody.content['application/strategic-merge-patch+json']);
  const names = patch.parameters.map((parameter: { name: string }) => parameter.name);
  for (const name of ['dryRun', 'fieldValidation']) assert.ok(names.includes(name));
});

test('merge keys are published', () => {
  const { schemas } = json(read('/openapi/v3/api/v1')).components;
  const containers = schemas['io.k8s.api.core.v1.PodSpec'].properties.containers;
  assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
  assert.equal(containers['x-kubernetes-patch-strategy'], 'merge');
});

test('a document is immutable under its hash and moved under any other', () => {
  const { serverRelativeURL } = json(read('/openapi/v3')).paths['api/v1'];
  const url = new URL(serverRelativeURL, 'https://server');
  const right = read(url.pathname, url.search);
  assert.ok(right?.kind === 'body' && right.headers?.['cache-control']?.includes('immutable'));
  const wrong = read(url.pathname, 'hash=X');
  assert.ok(wrong?.kind === 'body');
  assert.deepEqual([wrong.code, wrong.headers?.['location']], [301, serverRelativeURL]);
});
