import { describeError } from '@slipway/base';
import type { RunProgram } from '@slipway/host';
import type { ResetData } from './data.ts';

/** A runtime that is just stopping a pod refuses to remove it: kubeadm's number of tries. */
const tries = 5;

/**
 * Stops and removes the pods of the container runtime, all of which are the kubelet's. What fails is told
 * and does not end the reset: containers can be removed later, and by hand.
 */
export async function removeContainers(data: ResetData): Promise<void> {
  const { ground, reset, reporter, isDryRun } = data;
  if (isDryRun) {
    reporter.phase('dryrun', 'would remove the containers of Kubernetes');
    return;
  }
  const { run } = ground;
  if (run === undefined) {
    reporter.phase('reset', 'containers are left alone: no program may be run here');
    return;
  }
  if ((await ground.machine.findProgram('crictl')) === undefined) {
    reporter.problem(
      'containers are not removed: there is no crictl; remove them with your runtime',
    );
    return;
  }
  const crictl = ['crictl', '--runtime-endpoint', reset.criSocket];
  try {
    const { exitCode, stdout, stderr } = await run([...crictl, 'pods', '--quiet']);
    if (exitCode !== 0) throw new Error(stderr.trim());
    const pods = stdout.split('\n').filter((id) => id !== '');
    for (const id of pods) await removePod(run, crictl, id);
    reporter.phase('reset', `removed ${pods.length} pods of the container runtime`);
  } catch (error) {
    reporter.problem(`containers are not removed: ${describeError(error)}`);
  }
}

async function removePod(run: RunProgram, crictl: readonly string[], id: string): Promise<void> {
  let reason = '';
  for (let attempt = 0; attempt < tries; attempt += 1) {
    await run([...crictl, 'stopp', id]);
    const { exitCode, stderr } = await run([...crictl, 'rmp', '--force', id]);
    if (exitCode === 0) return;
    reason = stderr.trim();
  }
  throw new Error(`pod ${id}: ${reason}`);
}
