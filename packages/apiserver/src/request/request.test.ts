import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@slipway/base';
import type { StoredObject } from '../contract.ts';
import { StatusError } from '../contract.ts';
import { builtinKinds } from '../registry/builtin-kinds.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { parseRequestPath, verbOf } from './request-path.ts';

const paths: readonly { given: string; want: string | undefined }[] = [
  { given: '/api/v1/nodes', want: '|v1|nodes|||' },
  { given: '/api/v1/nodes/', want: '|v1|nodes|||' },
  { given: '/api/v1/nodes/n1/status', want: '|v1|nodes||n1|status' },
  { given: '/api/v1/namespaces', want: '|v1|namespaces|||' },
  { given: '/api/v1/namespaces/a', want: '|v1|namespaces|a|a|' },
  { given: '/api/v1/namespaces/a/finalize', want: '|v1|namespaces|a|a|finalize' },
  { given: '/api/v1/namespaces/a/pods/p/eviction', want: '|v1|pods|a|p|eviction' },
  { given: '/apis/apps/v1/namespaces/a/deployments', want: 'apps|v1|deployments|a||' },
  { given: '/apis/apps/v1', want: undefined },
  { given: '/api/v1/nodes/a%2Fb', want: undefined },
  { given: '/api/v1//nodes', want: undefined },
  { given: '/api/v1/nodes/..', want: undefined },
  { given: '/api/v1/nodes/%zz', want: undefined },
  { given: '/api/v1/namespaces/a/pods/p/eviction/x', want: undefined },
  { given: '/version', want: undefined },
];

for (const { given, want } of paths) {
  test(`path ${given}`, () => {
    const at = parseRequestPath(given).resource;
    const got =
      at && [at.group, at.version, at.plural, at.namespace, at.name, at.subresource].join('|');
    assert.equal(got, want);
  });
}

const verbs: readonly { method: string; path: string; want: string | undefined }[] = [
  { method: 'GET', path: '/api/v1/nodes', want: 'list' },
  { method: 'GET', path: '/api/v1/nodes?watch=1', want: 'watch' },
  { method: 'GET', path: '/api/v1/nodes/n', want: 'get' },
  { method: 'DELETE', path: '/api/v1/nodes', want: 'deletecollection' },
  { method: 'OPTIONS', path: '/api/v1/nodes', want: undefined },
];

for (const { method, path, want } of verbs) {
  test(`verb of ${method} ${path}`, () => {
    const url = new URL(path, 'https://server');
    const at = parseRequestPath(url.pathname).resource;
    assert.equal(at && verbOf(method, at, url.searchParams), want);
  });
}

const labels = { app: 'web', tier: 'front', weight: '5' };
const selectors: readonly { given: string; want: boolean }[] = [
  { given: '', want: true },
  { given: 'app', want: true },
  { given: '!app', want: false },
  { given: 'app=web,tier==front', want: true },
  { given: 'app!=web', want: false },
  { given: 'other!=x', want: true },
  { given: 'app in (web, db),tier notin (back)', want: true },
  { given: 'other notin (x)', want: true },
  { given: 'other in (x)', want: false },
  { given: 'weight>4', want: true },
  { given: 'weight<5', want: false },
  { given: 'app=', want: false },
  { given: 'constructor', want: false },
  { given: '!toString', want: true },
  { given: 'valueOf notin (x)', want: true },
];

for (const { given, want } of selectors) {
  test(`label selector ${JSON.stringify(given)}`, () =>
    assert.equal(parseLabelSelector(given).matches(labels), want));
}

test('a label selector with a bad key is refused', () => {
  assert.throws(() => parseLabelSelector('a b=c,=x'), StatusError);
});

const pods = builtinKinds(systemClock).find(({ plural }) => plural === 'pods');
if (pods === undefined) throw new Error('pods are not served');
const pod: StoredObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'a' },
  spec: { nodeName: 'n1' },
  status: { phase: 'Running' },
};
const fields: readonly { given: string; want: boolean }[] = [
  { given: 'metadata.name=p', want: true },
  { given: 'spec.nodeName=n1,status.phase!=Succeeded,status.phase!=Failed', want: true },
  { given: 'spec.nodeName==n2', want: false },
  { given: 'status.podIP=', want: true },
];

for (const { given, want } of fields) {
  test(`field selector ${given}`, () =>
    assert.equal(parseFieldSelector(pods, given).matches(pod), want));
}
