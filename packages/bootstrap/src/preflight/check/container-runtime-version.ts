import { type Check, warning } from '../check.ts';
import { notAnswering, notAsked } from './cri.ts';

/** A runtime that does not tell its cgroup driver will not do for the kubelet of 1.38. */
export function containerRuntimeVersion(socket: string): Check {
  return {
    name: 'ContainerRuntimeVersion',
    run: async ({ ground, runtime }) => {
      if (ground.run === undefined) return [notAsked(socket)];
      try {
        if ((await runtime(socket).cgroupDriver()) !== undefined) return [];
      } catch (error) {
        return [notAnswering(socket, error)];
      }
      return [
        warning(
          'the container runtime lacks the call RuntimeConfig, which the kubelet needs from v1.38 on',
          'update it: containerd 2.0, CRI-O 1.28 and later have it',
        ),
      ];
    },
  };
}
