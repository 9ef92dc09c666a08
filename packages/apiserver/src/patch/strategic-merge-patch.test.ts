import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strategicMergePatch } from '@slipway/api';
import { patchSchemaOf } from './patch-schema.ts';

const pod = 'io.k8s.api.core.v1.Pod';
const node = 'io.k8s.api.core.v1.Node';
const deployment = 'io.k8s.api.apps.v1.Deployment';

type Case = { name: string; type?: string; given: unknown; patch: unknown; want: unknown };

const containers = (...list: unknown[]) => ({ spec: { containers: list } });

const cases: readonly Case[] = [
  {
    name: 'objects merge and null deletes',
    given: { metadata: { labels: { a: '1', b: '2' } } },
    patch: { metadata: { labels: { a: null, c: '3' } } },
    want: { metadata: { labels: { b: '2', c: '3' } } },
  },
  {
    name: 'null of what is not there leaves nothing',
    given: { metadata: {} },
    patch: { metadata: { labels: { a: null } }, spec: { nodeName: null } },
    want: { metadata: { labels: {} }, spec: {} },
  },
  {
    name: 'containers merge by name; new ones go to the end of what the patch names',
    given: containers({ name: 'a', image: 'a:1' }, { name: 'b', image: 'b:1' }),
    patch: containers({ name: 'b', image: 'b:2' }, { name: 'c', image: 'c:1' }),
    want: containers(
      { name: 'a', image: 'a:1' },
      { name: 'b', image: 'b:2' },
      { name: 'c', image: 'c:1' },
    ),
  },
  {
    name: '$patch delete drops an element',
    given: containers({ name: 'a' }, { name: 'b' }),
    patch: containers({ name: 'a', $patch: 'delete' }),
    want: containers({ name: 'b' }),
  },
  {
    name: '$patch replace in a list replaces all of it',
    given: containers({ name: 'a' }, { name: 'b' }),
    patch: containers({ name: 'c' }, { $patch: 'replace' }),
    want: containers({ name: 'c' }),
  },
  {
    name: '$patch replace in an object replaces it',
    given: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { b: '2', $patch: 'replace' } } },
    want: { metadata: { labels: { b: '2' } } },
  },
  {
    name: '$patch delete in an object empties it',
    given: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { $patch: 'delete' } } },
    want: { metadata: { labels: {} } },
  },
  {
    name: '$setElementOrder orders named elements; others stay before what they preceded',
    given: containers({ name: 'a' }, { name: 'x' }, { name: 'b' }),
    patch: { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } },
    want: containers({ name: 'x' }, { name: 'b' }, { name: 'a' }),
  },
  {
    name: '$setElementOrder with a changed element',
    given: containers({ name: 'a', image: '1' }, { name: 'b', image: '1' }),
    patch: {
      spec: {
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
        containers: [
          { name: 'c', image: '9' },
          { name: 'b', image: '2' },
        ],
      },
    },
    want: containers(
      { name: 'c', image: '9' },
      { name: 'a', image: '1' },
      { name: 'b', image: '2' },
    ),
  },
  {
    name: 'scalars of a merge list are a set',
    given: { metadata: { finalizers: ['a/a', 'b/b'] } },
    patch: { metadata: { finalizers: ['b/b', 'c/c'] } },
    want: { metadata: { finalizers: ['a/a', 'b/b', 'c/c'] } },
  },
  {
    name: '$deleteFromPrimitiveList',
    given: { metadata: { finalizers: ['a/a', 'b/b'] } },
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a/a'] } },
    want: { metadata: { finalizers: ['b/b'] } },
  },
  {
    name: 'lists without a strategy are replaced (taints)',
    type: node,
    given: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    patch: { spec: { taints: [{ key: 'b', effect: 'NoSchedule' }] } },
    want: { spec: { taints: [{ key: 'b', effect: 'NoSchedule' }] } },
  },
  {
    name: '$retainKeys clears what is not named (deployment strategy)',
    type: deployment,
    given: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
    patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    want: { spec: { strategy: { type: 'Recreate' } } },
  },
  {
    name: 'volumes merge by name with $retainKeys',
    given: { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    patch: {
      spec: {
        volumes: [{ $retainKeys: ['name', 'hostPath'], name: 'v', hostPath: { path: '/' } }],
      },
    },
    want: { spec: { volumes: [{ name: 'v', hostPath: { path: '/' } }] } },
  },
  {
    name: 'nested merge lists: ports by containerPort',
    given: containers({ name: 'a', ports: [{ containerPort: 1, name: 'x' }] }),
    patch: containers({
      name: 'a',
      ports: [{ containerPort: 2 }, { containerPort: 1, name: 'y' }],
    }),
    want: containers({
      name: 'a',
      ports: [{ containerPort: 2 }, { containerPort: 1, name: 'y' }],
    }),
  },
  {
    name: 'conditions of a status merge by type',
    type: node,
    given: {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'X', status: 'True' },
        ],
      },
    },
    patch: { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    want: {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'X', status: 'True' },
        ],
      },
    },
  },
];

for (const { name, type = pod, given, patch, want } of cases) {
  test(`strategic merge patch: ${name}`, () => {
    const before = structuredClone(given);
    assert.deepEqual(strategicMergePatch(given, patch, patchSchemaOf(type)), want);
    assert.deepEqual(given, before);
  });
}

const refusals: readonly { name: string; patch: unknown; message: RegExp }[] = [
  { name: 'a list', patch: [], message: /not an object/ },
  {
    name: 'an element without merge key',
    patch: containers({ image: 'x' }),
    message: /does not contain declared merge key: name/,
  },
  {
    name: 'an unknown directive',
    patch: { metadata: { $patch: 'twist' } },
    message: /unknown patch type/,
  },
];

for (const { name, patch, message } of refusals) {
  test(`strategic merge patch refuses ${name}`, () => {
    const given = { metadata: {}, ...containers({ name: 'a' }) };
    assert.throws(() => strategicMergePatch(given, patch, patchSchemaOf(pod)), message);
  });
}
