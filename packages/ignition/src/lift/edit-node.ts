import { memberPath, type Placed } from '../findings.ts';
import { ignitionVersion } from '../model.ts';
import type { ObjectMember, ObjectNode, SyntaxNode } from '../syntax-tree.ts';

/** The value of a member; of duplicate keys the last one counts. */
export function memberOf(node: SyntaxNode, key: string): SyntaxNode | undefined {
  if (node.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key)?.value;
}

/** The config with version 3.4.0. */
export function withVersion(node: SyntaxNode): SyntaxNode {
  return replaceMember(node, 'ignition', (ignition) =>
    replaceMember(ignition, 'version', () => ({ kind: 'string', value: ignitionVersion })),
  );
}

/** The node with another value of one member, where it has that member. */
export function replaceMember(
  node: SyntaxNode,
  key: string,
  change: (value: SyntaxNode) => SyntaxNode,
): SyntaxNode {
  if (node.kind !== 'object') return node;
  const members = node.members.map((member) =>
    member.key === key ? { ...member, value: change(member.value) } : member,
  );
  return { ...node, members };
}

/** Position and origin of a node, for one that is made of it. */
export function located(node: SyntaxNode): Pick<SyntaxNode, 'range' | 'origin'> {
  return {
    ...(node.range && { range: node.range }),
    ...(node.origin !== undefined && { origin: node.origin }),
  };
}

/** The object with a member set, in its old place where it had one. */
export function withMember(node: ObjectNode, key: string, value: SyntaxNode): ObjectNode {
  const place = value.range && { range: value.range };
  const member: ObjectMember = { key, ...place, value };
  const hasIt = node.members.some((each) => each.key === key);
  const members = hasIt
    ? node.members.map((each) => (each.key === key ? { ...each, value } : each))
    : [...node.members, member];
  return { ...node, members };
}

/** The object without some of its members. */
export function withoutMembers(node: ObjectNode, keys: readonly string[]): ObjectNode {
  return { ...node, members: node.members.filter(({ key }) => !keys.includes(key)) };
}

/** Path of a member of a value. */
export function placedMember(value: Placed, key: string): Placed | undefined {
  const node = memberOf(value.node, key);
  return node && { node, path: memberPath(value.path, key) };
}
