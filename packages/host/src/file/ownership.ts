import type { BigIntStats } from 'node:fs';
import { chown, stat } from 'node:fs/promises';

export type Owner = { readonly uid: number; readonly gid: number };

/**
 * Who owns a file. The real host asks the kernel; a simulated host that does not run as root keeps
 * a record of its own, because only root may give files away.
 */
export interface Ownership {
  of(stats: BigIntStats): Owner;
  /** `location` is the path of an open descriptor (`/proc/self/fd/7`). */
  set(location: string, owner: Owner): Promise<void>;
}

/** The kernel's own owners. Owners that are right already are left alone, so no privilege is needed for them. */
export const realOwnership: Ownership = {
  of: (stats) => ({ uid: Number(stats.uid), gid: Number(stats.gid) }),
  async set(location, owner) {
    const stats = await stat(location);
    if (stats.uid !== owner.uid || stats.gid !== owner.gid) {
      await chown(location, owner.uid, owner.gid);
    }
  },
};
