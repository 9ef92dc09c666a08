import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TransientError, VirtualClock } from '@slipway/base';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import type { EtcdClient, EtcdMember } from './etcd-client.ts';
import { type EtcdPeer, initialCluster } from './initial-cluster.ts';
import { type EtcdJoin, joinEtcd } from './join-etcd.ts';

const first: EtcdMember = {
  id: '10',
  name: 'cp1',
  peerUrls: ['https://10.0.0.1:2380'],
  clientUrls: ['https://10.0.0.1:2379'],
  isLearner: false,
};
const own = { name: 'cp2', peerUrl: 'https://10.0.0.2:2380' };

function spelt(peers: readonly EtcdPeer[]): string {
  return peers.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
}

/** A cluster whose members are data; `startsAfter` reads the new one has a name. */
function cluster(members: EtcdMember[], startsAfter: number) {
  let reads = 0;
  const calls: string[] = [];
  const change = (id: string, edit: Partial<EtcdMember>) => {
    const index = members.findIndex((member) => member.id === id);
    const member = members[index];
    if (member !== undefined) members[index] = { ...member, ...edit };
  };
  const etcd: EtcdClient = {
    members: async () => {
      reads += 1;
      if (reads > startsAfter) change('255', { name: own.name });
      return [...members];
    },
    addLearner: async (peerUrl) => {
      calls.push(`add ${peerUrl}`);
      members.push({ id: '255', name: '', peerUrls: [peerUrl], clientUrls: [], isLearner: true });
    },
    promote: async (id) => {
      calls.push(`promote ${id}`);
      change(id, { isLearner: false });
    },
    remove: async (id) => {
      calls.push(`remove ${id}`);
      members.splice(
        members.findIndex((member) => member.id === id),
        1,
      );
    },
  };
  return { etcd, calls, members };
}

async function run(etcd: EtcdClient, overrides: Partial<EtcdJoin> = {}) {
  const clock = new VirtualClock();
  const { reporter, lines } = recordingReporter();
  const manifests: string[] = [];
  const writeManifest = async (peers: readonly EtcdPeer[]) => void manifests.push(spelt(peers));
  const diagnose = async () => ['its log says why'];
  const options = {
    ...{ etcd, own, writeManifest, diagnose, clock, reporter, timeoutMs: 10_000 },
    ...overrides,
  };
  const done = joinEtcd(options).then(
    () => undefined,
    (error: unknown) => error,
  );
  for (let second = 0; second < 30; second += 1) await clock.advance(1000);
  return { error: await done, lines, manifests };
}

suite('joinEtcd', () => {
  test('announced as learner, started, promoted', async () => {
    const { etcd, calls, members } = cluster([first], 3);
    const { error, manifests, lines } = await run(etcd);
    assert.equal(error, undefined);
    assert.deepEqual(calls, ['add https://10.0.0.2:2380', 'promote 255']);
    assert.deepEqual(manifests, ['cp1=https://10.0.0.1:2380,cp2=https://10.0.0.2:2380']);
    assert.ok(members.every(({ isLearner }) => !isLearner));
    assert.ok(lines.includes('[etcd] the member has not started'));
  });

  test('a member that was announced before is not announced again', async () => {
    const learner = { ...first, id: '255', name: '', peerUrls: [own.peerUrl], isLearner: true };
    const { etcd, calls } = cluster([first, learner], 0);
    assert.equal((await run(etcd)).error, undefined);
    assert.deepEqual(calls, ['promote 255']);
  });

  test('a member that votes already is left alone', async () => {
    const voter = { ...first, id: '255', name: 'cp2', peerUrls: [own.peerUrl] };
    const { etcd, calls } = cluster([first, voter], 0);
    assert.equal((await run(etcd)).error, undefined);
    assert.deepEqual(calls, []);
  });

  test('a learner that never starts is never promoted, and removed', async () => {
    const { etcd, calls, members } = cluster([first], 1_000);
    const { error, lines } = await run(etcd);
    assert.ok(error instanceof TransientError && error.code === 'bootstrap.etcd.not-joined');
    assert.ok(
      lines.some((line) => line.endsWith('etcd: its log says why')),
      lines.join('\n'),
    );
    assert.deepEqual(calls, ['add https://10.0.0.2:2380', 'remove 255']);
    assert.deepEqual(members, [first]);
  });
});

test('initialCluster: a member without name is its id in hex, as kubeadm writes it', () => {
  const unnamed = { ...first, id: '14137540397967315667', name: '', peerUrls: ['https://c:2380'] };
  assert.equal(
    spelt(initialCluster([unnamed, first], own)),
    'c432a2168a9392d3=https://c:2380,cp1=https://10.0.0.1:2380',
  );
});
