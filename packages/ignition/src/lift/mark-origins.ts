import { itemPath, memberPath, type Place, type Placed } from '../findings.ts';
import type { SyntaxNode } from '../syntax-tree.ts';

/**
 * The value with its path noted in every node, so that what becomes of it can still be told by where the
 * user wrote it. Nodes that have a path keep it.
 */
export function markOrigins(node: SyntaxNode, path = ''): SyntaxNode {
  const origin = node.origin ?? path;
  switch (node.kind) {
    case 'array': {
      const items = node.items.map((item, index) => markOrigins(item, itemPath(path, index)));
      return { ...node, origin, items };
    }
    case 'object': {
      const members = node.members.map((member) => ({
        ...member,
        value: markOrigins(member.value, memberPath(path, member.key)),
      }));
      return { ...node, origin, members };
    }
    default:
      return { ...node, origin };
  }
}

/** Where the user wrote a value: its origin, where it is noted. */
export function originOfNode({ node, path }: Placed): Place {
  return { path: node.origin ?? path, range: node.range };
}
