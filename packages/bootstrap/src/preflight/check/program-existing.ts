import { type Check, failure } from '../check.ts';

/**
 * A program that has to be in the PATH. Name: `FileExisting-mount`. Which ones: kubeadm's of 1.34 to 1.37
 * are losetup and mount (the kubelet mounts volumes) and cp (etcd is copied before an upgrade).
 */
export function programExisting(program: string, packageName: string): Check {
  return {
    name: `FileExisting-${program}`,
    run: async ({ ground }) =>
      (await ground.machine.findProgram(program)) === undefined
        ? [failure(`${program} is not in the PATH`, `install it; package ${packageName} has it`)]
        : [],
  };
}
