import { type Clock, describeError, TransientError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import { waitFor } from '../waiting/wait-for.ts';
import type { Reporter } from '../workflow/ground.ts';
import type { EtcdClient, EtcdMember } from './etcd-client.ts';
import { type EtcdPeer, initialCluster } from './initial-cluster.ts';

export type EtcdJoin = {
  readonly etcd: EtcdClient;
  /** The member that joins. */
  readonly own: EtcdPeer;
  /** Writes the static pod of the member; the kubelet starts it. */
  readonly writeManifest: (peers: readonly EtcdPeer[]) => Promise<void>;
  /** Why the pod may not run, in lines; asked when the member does not catch up. */
  readonly diagnose: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** `timeouts.etcdAPICall`: for the member to start and catch up. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/**
 * Adds a member to a running etcd: announced as learner, started, and given its vote once it has caught
 * up. Done again it goes on where it was. A learner that never catches up is removed again, so that the
 * next try does not meet it.
 * @throws TransientError `bootstrap.etcd.not-joined`
 */
export async function joinEtcd(join: EtcdJoin): Promise<void> {
  const { etcd, own, reporter } = join;
  const known = await etcd.members();
  if (ownMember(known, own.peerUrl) === undefined) {
    reporter.phase('etcd', `announcing member ${own.name} at ${own.peerUrl}`);
    await etcd.addLearner(own.peerUrl);
  }
  await join.writeManifest(initialCluster(await etcd.members(), own));
  try {
    await untilVoting(join);
  } catch (error) {
    if (join.signal?.aborted !== true)
      for (const line of await join.diagnose()) reporter.problem(`etcd: ${line}`);
    await removeLearner(join);
    throw error;
  }
  reporter.phase('etcd', `member ${own.name} has joined and votes`);
}

async function untilVoting(join: EtcdJoin): Promise<void> {
  const { etcd, own, clock, timeoutMs, reporter, signal } = join;
  const code: BootstrapErrorCode = 'bootstrap.etcd.not-joined';
  reporter.phase('etcd', `waiting up to ${timeoutMs / 1000} s until the member has caught up`);
  await waitFor<true>(
    {
      clock,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      onWait: (observed) => reporter.phase('etcd', observed),
      expired: (last) =>
        new TransientError(`join etcd as ${own.name}: ${describeError(last)}`, { code }),
    },
    async () => {
      const member = ownMember(await etcd.members(), own.peerUrl);
      if (member === undefined) throw new TransientError('the member is not announced', { code });
      if (!member.isLearner) return true;
      // Promoting a member that never started could cost the quorum.
      if (member.name === '') throw new TransientError('the member has not started', { code });
      await etcd.promote(member.id);
      return true;
    },
  );
}

async function removeLearner({ etcd, own, reporter }: EtcdJoin): Promise<void> {
  try {
    const member = ownMember(await etcd.members(), own.peerUrl);
    if (member?.isLearner !== true) return;
    await etcd.remove(member.id);
    reporter.problem(`etcd: the learner ${own.name} was removed again`);
  } catch (error) {
    reporter.problem(`etcd: the learner ${own.name} could not be removed: ${describeError(error)}`);
  }
}

function ownMember(members: readonly EtcdMember[], peerUrl: string): EtcdMember | undefined {
  return members.find(({ peerUrls }) => peerUrls.includes(peerUrl));
}
