import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isJsonObject } from '@slipway/base';
import * as fc from 'fast-check';
import { corednsObjects } from '../addon/coredns.ts';
import { kubeProxyObjects } from '../addon/kube-proxy.ts';
import { recordedObject, recordedObjects } from '../testing/recorded-objects.ts';
import { describeObject } from './cluster-object.ts';
import { meansTheSame } from './compare.ts';

suite('meansTheSame', () => {
  const role = { metadata: { name: 'a' }, rules: [{ verbs: ['get'], resources: ['nodes'] }] };
  const cases = [
    { name: 'itself', live: role, wanted: role, want: true },
    {
      name: 'what a server fills in',
      live: { kind: 'RoleBinding', subjects: [{ kind: 'Group', name: 'x', apiGroup: 'rbac' }] },
      wanted: { kind: 'RoleBinding', subjects: [{ kind: 'Group', name: 'x' }] },
      want: true,
    },
    {
      name: 'a Secret without type',
      live: { kind: 'Secret', type: 'Opaque', data: { a: 'x' } },
      wanted: { kind: 'Secret', data: { a: 'x' } },
      want: true,
    },
    {
      name: 'marks of the server in metadata',
      live: { ...role, metadata: { name: 'a', uid: 'u', resourceVersion: '3' } },
      wanted: role,
      want: true,
    },
    {
      name: 'labels of others',
      live: { metadata: { labels: { a: '1', b: '2' } } },
      wanted: { metadata: { labels: { a: '1' } } },
      want: true,
    },
    {
      name: 'another value of a label',
      live: { metadata: { labels: { a: '1' } } },
      wanted: { metadata: { labels: { a: '2' } } },
      want: false,
    },
    {
      name: 'keys of others in data',
      live: { data: { a: '1', b: '2' } },
      wanted: { data: { a: '1' } },
      want: true,
    },
    { name: 'other data', live: { data: { a: '1' } }, wanted: { data: { a: '2' } }, want: false },
    { name: 'missing data', live: {}, wanted: { data: { a: '2' } }, want: false },
    {
      name: 'a rule more',
      live: { rules: [{ verbs: ['get'] }, { verbs: ['list'] }] },
      wanted: { rules: [{ verbs: ['get'] }] },
      want: false,
    },
    {
      name: 'a member that nobody fills in',
      live: { spec: { hostPID: true } },
      wanted: { spec: {} },
      want: false,
    },
    { name: 'empty members', live: { spec: { a: {}, b: [] } }, wanted: { spec: {} }, want: true },
    {
      name: 'another owner',
      live: { metadata: { ownerReferences: [{ uid: '1' }] } },
      wanted: { metadata: { ownerReferences: [{ uid: '2' }] } },
      want: false,
    },
  ];
  for (const { name, live, wanted, want } of cases) {
    test(name, () => {
      assert.equal(meansTheSame(live as object, wanted as object), want);
    });
  }

  test('objects that a real server has stored need no update', () => {
    const recorded = recordedObjects('v1.37.2', 'live');
    const proxy = { image: 'registry.k8s.io/kube-proxy:v1.37.2', server: 's' };
    const made = [
      ...corednsObjects({
        image: 'registry.k8s.io/coredns/coredns:v1.14.6',
        dnsDomain: 'cluster.local',
        address: '10.96.0.10',
      }),
      ...kubeProxyObjects({ ...proxy, configuration: {}, isGenerated: false }),
    ].filter(({ resource }) => /Deployment|DaemonSet|Service$/.test(resource.kind));
    assert.equal(made.length, 3);
    for (const each of made) {
      const stored = recordedObject(recorded, describeObject(each));
      assert.equal(meansTheSame(stored, each.object), true, describeObject(each));
    }
  });
});

/** Every path to a scalar in a JSON value. */
function scalarPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => scalarPaths(item, [...path, String(index)]));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, item]) => scalarPaths(item, [...path, key]));
  return [path];
}

function changedAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return 'changed';
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === first ? changedAt(item, rest) : item));
  return isJsonObject(value) ? { ...value, [first]: changedAt(value[first], rest) } : value;
}

test('a change of any scalar of a Deployment is seen', () => {
  const [deployment] = corednsObjects({ image: 'i', dnsDomain: 'd', address: '10.0.0.10' }).filter(
    ({ resource }) => resource.kind === 'Deployment',
  );
  const wanted = deployment?.object ?? {};
  const paths = scalarPaths(wanted).filter(([first]) => first !== 'metadata');
  fc.assert(
    fc.property(fc.constantFrom(...paths), (path) => {
      const live = changedAt(wanted, path) as object;
      assert.equal(meansTheSame(live, wanted), false);
    }),
  );
});
