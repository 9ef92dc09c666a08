import type { KubeObject } from '@slipway/api';
import { answerJson, ScriptedApiServer, writeEvent } from './scripted-api-server.ts';

/** A node as kubelets write it: about 9 KB, half of it images and managedFields. */
function bulkyNode(index: number, revision: number): KubeObject {
  const name = `worker-${index}`;
  const images = Array.from({ length: 25 }, (_, image) => ({
    names: [
      `registry.example.com/team/component-${image}@sha256:${'ab12'.repeat(16)}`,
      `registry.example.com/team/component-${image}:v1.${image}`,
    ],
    sizeBytes: 50_000_000 + index + image,
  }));
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: `Kubelet${type}`,
    message: `what the kubelet of ${name} has to say about ${type}`,
  }));
  const fields = Object.fromEntries(
    Array.from({ length: 30 }, (_, field) => [`f:example.com/field-number-${field}`, { '.': {} }]),
  );
  return {
    metadata: {
      name,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(revision),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/worker': '',
      },
      annotations: { 'example.com/config': `rendered-worker-${'0123456789abcdef'.repeat(2)}` },
      managedFields: ['kubelet', 'controller', 'daemon'].map((manager) => ({ manager, fields })),
    },
    spec: { podCIDR: `10.${index >> 8}.${index & 255}.0/24`, providerID: `example:///${name}` },
    status: { conditions, images, capacity: { cpu: '8', memory: '32Gi', pods: '110' } },
  } as KubeObject;
}

/** Serves a fleet by pages and, to each watch, `changes` modifications and then a bookmark. */
export function serveFleet(size: number, changes: number): ScriptedApiServer {
  return new ScriptedApiServer((request, response) => {
    const { query } = request;
    if (query.get('watch') === 'true') {
      response.flushHeaders();
      for (let change = 1; change <= changes; change += 1) {
        writeEvent(response, 'MODIFIED', bulkyNode(change % size, size + change));
      }
      const metadata = { resourceVersion: String(size + changes + 1) };
      writeEvent(response, 'BOOKMARK', { kind: 'Node', metadata });
      return;
    }
    const from = Number(query.get('continue') ?? '0');
    const to = Math.min(size, from + Number(query.get('limit') ?? size));
    const items = Array.from({ length: to - from }, (_, offset) => bulkyNode(from + offset, 1));
    const metadata = { resourceVersion: String(size), ...(to < size ? { continue: `${to}` } : {}) };
    answerJson(response, 200, { metadata, items });
  });
}
