import type { JsonObject } from '@slipway/base';
import { type Check, failure, warning } from '../check.ts';
import { readRuntimeConfiguration } from '../runtime/runtime-configuration.ts';

/** kubeadm writes this where nothing is configured. */
const defaultDriver = 'systemd';

/**
 * Kubelet and container runtime make control groups by the same driver; otherwise pods are killed again
 * and again some minutes after a command that ended well. A runtime that tells its driver over the CRI
 * cannot disagree: the kubelet does as it says.
 */
export function cgroupDriver(socket: string, kubelet: JsonObject | undefined): Check {
  return {
    name: 'CgroupDriver',
    run: async ({ ground, runtime }) => {
      const own = kubelet?.['cgroupDriver'] ?? defaultDriver;
      if (ground.run !== undefined) {
        // A runtime that does not answer is the business of the check CRI; its files tell enough here.
        const told = await runtime(socket)
          .cgroupDriver()
          .catch(() => undefined);
        if (told !== undefined) return [];
      }
      const written = await readRuntimeConfiguration(ground.files, socket);
      if (written === undefined || written.cgroupDriver === own) return [];
      const message = `the kubelet uses cgroup driver ${own} and ${written.runtime} ${written.cgroupDriver}, by ${written.sources.join(', ')}`;
      const fix =
        written.cgroupDriver === 'cgroupfs'
          ? 'set SystemdCgroup = true in the options of runc in /etc/containerd/config.toml (CRI-O: cgroup_manager = "systemd"), then restart the runtime'
          : `set cgroupDriver: ${written.cgroupDriver} in KubeletConfiguration`;
      return written.tellsDriver
        ? [warning(`${message}; the kubelet will follow the runtime`, fix)]
        : [failure(message, fix)];
    },
  };
}
