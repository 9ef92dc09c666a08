import type { SyntaxNode } from '@slipway/ignition';

/** The value without members that are null: an API server drops those of fields that may not be null. */
export function withoutNulls(node: SyntaxNode): SyntaxNode {
  if (node.kind === 'array') return { ...node, items: node.items.map(withoutNulls) };
  if (node.kind !== 'object') return node;
  const members = node.members.flatMap((member) =>
    member.value.kind === 'null' ? [] : [{ ...member, value: withoutNulls(member.value) }],
  );
  return { ...node, members };
}
