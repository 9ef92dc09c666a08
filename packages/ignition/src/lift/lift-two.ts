import { type Findings, itemPath, memberPath, type Placed } from '../findings.ts';
import { shapes } from '../schema.ts';
import type { ArrayNode, ObjectMember, SyntaxNode } from '../syntax-tree.ts';
import { leaveOutNewer } from './leave-out-newer.ts';
import { liftFiles } from './lift-two-files.ts';
import { liftUnits, liftUsers } from './lift-two-named.ts';
import { originOfNode } from './mark-origins.ts';

/** What becomes of a member of an object; `undefined` leaves it out. */
type Change = (member: Placed) => SyntaxNode | undefined;

/**
 * Converts a config of Ignition 2.x. Its readers apply later entries over earlier ones with the same path or
 * name, where 3.x has one entry each; files name a file system, and only the root one is there later on.
 */
export function liftTwo(findings: Findings, root: Placed): SyntaxNode {
  const lifted = change(root, {
    ignition: (ignition) =>
      change(ignition, { config: (config) => dropAppended(findings, config) }),
    storage: (storage) => change(storage, { files: (list) => eachOf(list, findings, liftFiles) }),
    systemd: (systemd) => change(systemd, { units: (list) => eachOf(list, findings, liftUnits) }),
    passwd: (passwd) => change(passwd, { users: (list) => eachOf(list, findings, liftUsers) }),
    networkd: (networkd) => dropNetworkd(findings, networkd),
  });
  return leaveOutNewer(findings, 4, { ...root, node: lifted }, shapes.config);
}

function change(value: Placed, changes: Readonly<Record<string, Change>>): SyntaxNode {
  const { node, path } = value;
  if (node.kind !== 'object') return node;
  const members = node.members.flatMap((member): ObjectMember[] => {
    const rule = Object.hasOwn(changes, member.key) ? changes[member.key] : undefined;
    if (rule === undefined) return [member];
    const changed = rule({ node: member.value, path: memberPath(path, member.key) });
    return changed === undefined ? [] : [{ ...member, value: changed }];
  });
  return { ...node, members };
}

function eachOf(
  list: Placed,
  findings: Findings,
  lift: (findings: Findings, entries: readonly Placed[]) => SyntaxNode[],
): SyntaxNode {
  return list.node.kind === 'array'
    ? { ...list.node, items: lift(findings, placedItems({ ...list, node: list.node })) }
    : list.node;
}

function placedItems({ node, path }: Placed<ArrayNode>): Placed[] {
  return node.items.map((item, index) => ({ node: item, path: itemPath(path, index) }));
}

function dropAppended(findings: Findings, config: Placed): SyntaxNode {
  return change(config, {
    append: (append) => {
      if (append.node.kind === 'array' && append.node.items.length > 0) {
        findings.add('lift-no-counterpart', originOfNode(append), {
          message: 'configs that are fetched and appended are left out',
          hint: 'convert them as well: MachineConfigs are merged by the pool that selects them',
        });
      }
      return undefined;
    },
  });
}

function dropNetworkd(findings: Findings, networkd: Placed): undefined {
  const units = networkd.node.kind === 'object' ? networkd.node.members : [];
  for (const { key, value } of units) {
    if (value.kind !== 'array') continue;
    for (const unit of placedItems({ node: value, path: memberPath(networkd.path, key) })) {
      findings.add('lift-no-counterpart', originOfNode(unit), {
        message: 'units of networkd are left out: Ignition 3 has no section for them',
        hint: 'declare a file in /etc/systemd/network',
      });
    }
  }
  return undefined;
}
