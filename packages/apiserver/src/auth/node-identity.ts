import type { User } from '../contract.ts';

export const nodesGroup = 'system:nodes';
const prefix = 'system:node:';

/** The node that a user is; undefined: it is no node. An empty name is a node's user without one. */
export function nodeNameOf(user: User): string | undefined {
  if (!user.name.startsWith(prefix) || !user.groups.includes(nodesGroup)) return undefined;
  return user.name.slice(prefix.length);
}
