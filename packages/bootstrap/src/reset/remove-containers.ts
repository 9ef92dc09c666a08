import { describeError } from '@slipway/base';
import {
  type ContainerRuntime,
  createContainerRuntime,
} from '../preflight/runtime/container-runtime.ts';
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
  if (ground.run === undefined) {
    // A socket is never connected to where a folder is the root: it would be that of another machine.
    reporter.phase('reset', 'containers are left alone: no container runtime is asked here');
    return;
  }
  const runtime = createContainerRuntime(reset.criSocket);
  try {
    const pods = await runtime.pods();
    let removed = 0;
    for (const id of pods) {
      const reason = await removePod(runtime, id);
      if (reason === undefined) removed += 1;
      else reporter.problem(`pod ${id} of the container runtime is not removed: ${reason}`);
    }
    reporter.phase('reset', `removed ${removed} of ${pods.length} pods of the container runtime`);
  } catch (error) {
    const why = describeError(error);
    reporter.problem(`containers are not removed, remove them with your runtime: ${why}`);
  }
}

/** Why the pod is still there; undefined: it is gone. */
async function removePod(runtime: ContainerRuntime, id: string): Promise<string | undefined> {
  let reason: string | undefined;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    try {
      await runtime.stopPod(id);
      await runtime.removePod(id);
      return undefined;
    } catch (error) {
      reason = describeError(error);
    }
  }
  return reason;
}
