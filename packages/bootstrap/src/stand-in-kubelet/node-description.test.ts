import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type NodeDescription,
  nodeConditions,
  nodeLabels,
  nodeStatus,
} from './node-description.ts';

const description: NodeDescription = {
  nodeName: 'worker-1',
  addresses: ['127.0.0.1'],
  labels: { zone: 'a' },
  bootId: 'boot',
  machineId: 'machine',
  kubeletVersion: 'v1.37.2',
  osImage: 'Simulated Linux',
  kernelVersion: '6.12',
  containerRuntimeVersion: 'stand-in://1',
  architecture: 'amd64',
};

test('labels are those of a kubelet and never a role', () => {
  const labels = nodeLabels(description);
  assert.equal(labels['kubernetes.io/hostname'], 'worker-1');
  assert.equal(labels['zone'], 'a');
  assert.deepEqual(
    Object.keys(labels).filter((key) => key.includes('node-role')),
    [],
  );
});

test('a condition keeps its transition time until it changes', () => {
  const first = nodeConditions('running', [], 't1');
  const second = nodeConditions('running', first, 't2');
  const stopped = nodeConditions('stopped', second, 't3');
  const ready = [first, second, stopped].map((list) => list.find((each) => each.type === 'Ready'));
  assert.deepEqual(
    ready.map((each) => [each?.status, each?.lastHeartbeatTime, each?.lastTransitionTime]),
    [
      ['True', 't1', 't1'],
      ['True', 't2', 't1'],
      ['False', 't3', 't3'],
    ],
  );
});

test('the boot id is what tells one boot from the next', () => {
  const status = nodeStatus(description, []);
  assert.equal(status.nodeInfo?.['bootID'], 'boot');
  assert.deepEqual(status.addresses, [
    { type: 'InternalIP', address: '127.0.0.1' },
    { type: 'Hostname', address: 'worker-1' },
  ]);
});
