import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Node, Taint } from '@slipway/api';
import { controlPlaneMark, criSocketMark } from './node-mark.ts';

const controlPlane = 'node-role.kubernetes.io/control-plane';
const noBalancer = 'node.kubernetes.io/exclude-from-external-load-balancers';
const taint: Taint = { key: controlPlane, effect: 'NoSchedule' };
const foreign: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

function node(labels: Record<string, string>, taints?: readonly Taint[]): Node {
  return {
    metadata: { name: 'cp1', resourceVersion: '7', labels },
    ...(taints === undefined ? {} : { spec: { taints } }),
  };
}

suite('controlPlaneMark', () => {
  const labelled = { [controlPlane]: '', [noBalancer]: '' };
  const cases = [
    {
      name: 'a fresh node gets labels and taints, before those it has',
      given: { node: node({ a: 'b' }, [foreign]), taints: [taint] },
      want: {
        metadata: { resourceVersion: '7', labels: labelled },
        spec: { taints: [taint, foreign] },
      },
    },
    {
      name: 'a marked node stays as it is',
      given: { node: node(labelled, [foreign, taint]), taints: [taint] },
      want: undefined,
    },
    {
      name: 'no taints wanted: none are added, none removed',
      given: { node: node({ [controlPlane]: '' }, [foreign]), taints: [] },
      want: { metadata: { resourceVersion: '7', labels: { [noBalancer]: '' } } },
    },
    {
      name: 'a taint with another effect is another taint',
      given: { node: node(labelled, [{ ...taint, effect: 'NoExecute' }]), taints: [taint] },
      want: {
        metadata: { resourceVersion: '7', labels: {} },
        spec: { taints: [taint, { ...taint, effect: 'NoExecute' }] },
      },
    },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.deepEqual(controlPlaneMark(given.node, given.taints), want));
});

suite('criSocketMark', () => {
  const socket = 'unix:///run/containerd/containerd.sock';
  const annotations = { 'kubeadm.alpha.kubernetes.io/cri-socket': socket };
  test('a node without it gets it', () =>
    assert.deepEqual(criSocketMark(node({}), socket), { metadata: { annotations } }));
  test('an annotated node stays as it is', () =>
    assert.equal(criSocketMark({ metadata: { name: 'cp1', annotations } }, socket), undefined));
});
