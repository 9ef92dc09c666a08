import type { Findings, Placed } from '../findings.ts';
import type { ObjectNode, SyntaxNode } from '../syntax-tree.ts';
import { memberOf, placedMember, withMember, withoutMembers } from './edit-node.ts';
import { originOfNode } from './mark-origins.ts';

/** Converts the units of a 2.x config. A later entry of a name wins, and keeps the earlier drop-ins. */
export function liftUnits(findings: Findings, entries: readonly Placed[]): SyntaxNode[] {
  return joinByName(findings, entries, (unit) => liftEnable(unit), 'dropins');
}

/** Converts the users of a 2.x config. A later entry of a name wins, and keeps the earlier keys. */
export function liftUsers(findings: Findings, entries: readonly Placed[]): SyntaxNode[] {
  return joinByName(findings, entries, (user) => dropCreate(findings, user), 'sshAuthorizedKeys');
}

function joinByName(
  findings: Findings,
  entries: readonly Placed[],
  lift: (entry: Placed<ObjectNode>) => ObjectNode,
  joined: string,
): SyntaxNode[] {
  const named = new Map<string, ObjectNode>();
  const others: SyntaxNode[] = [];
  for (const entry of entries) {
    const name = memberOf(entry.node, 'name');
    if (entry.node.kind !== 'object' || name?.kind !== 'string') {
      others.push(entry.node);
      continue;
    }
    const earlier = named.get(name.value);
    const lifted = lift({ ...entry, node: entry.node });
    if (earlier !== undefined) {
      findings.add('lift-duplicate', originOfNode(entry), {
        message: `the name was declared before; this later entry is kept, with the ${joined} of both`,
      });
    }
    named.set(name.value, earlier === undefined ? lifted : join(earlier, lifted, joined));
  }
  return [...named.values(), ...others];
}

function join(earlier: ObjectNode, later: ObjectNode, key: string): ObjectNode {
  const before = memberOf(earlier, key);
  const after = memberOf(later, key);
  if (before?.kind !== 'array') return later;
  if (after?.kind !== 'array') return withMember(later, key, before);
  const known = new Set(after.items.map(keyOf));
  const kept = before.items.filter((item) => !known.has(keyOf(item)));
  return withMember(later, key, { ...after, items: [...kept, ...after.items] });
}

function keyOf(item: SyntaxNode): string {
  const name = item.kind === 'string' ? item : memberOf(item, 'name');
  return name?.kind === 'string' ? name.value : '';
}

/** `enable: true` is the older spelling of `enabled: true`; `enable: false` says nothing. */
function liftEnable({ node }: Placed<ObjectNode>): ObjectNode {
  const enable = memberOf(node, 'enable');
  const enabled = memberOf(node, 'enabled');
  const lifted = withoutMembers(node, ['enable']);
  const isSaid = enabled !== undefined && enabled.kind !== 'null';
  const isEnabled = enable?.kind === 'boolean' && enable.value;
  if (enable === undefined || isSaid || (enable.kind === 'boolean' && !isEnabled)) return lifted;
  return withMember(lifted, 'enabled', enable);
}

function dropCreate(findings: Findings, user: Placed<ObjectNode>): ObjectNode {
  const create = placedMember(user, 'create');
  if (create === undefined) return user.node;
  if (create.node.kind !== 'null') {
    findings.add('lift-no-counterpart', originOfNode(create), {
      message: 'how the account is created is left out: accounts are made when hosts are installed',
    });
  }
  return withoutMembers(user.node, ['create']);
}
