import { type Check, failure } from '../check.ts';

/** Everything that is written belongs to root. Below a `--rootfs` whoever owns the folder is enough. */
export const isPrivilegedUser: Check = {
  name: 'IsPrivilegedUser',
  run: async ({ ground }) =>
    ground.machine.effectiveUserId() === 0
      ? []
      : [failure('the command does not run as root', 'run it as root, for instance with sudo')],
};
