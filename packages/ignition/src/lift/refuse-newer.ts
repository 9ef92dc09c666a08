import { type Findings, itemPath, memberPath, type Placed } from '../findings.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { memberOf } from './edit-node.ts';
import { originOfNode } from './mark-origins.ts';

const maxPlainMode = 0o777;

/**
 * Refuses what a config uses of Ignition 3.5 (LUKS by Crypto Express cards) and 3.6 (special mode bits that have an
 * effect). Fields that are newer still are refused by validation, which knows those of 3.4.0 only.
 */
export function refuseNewer(findings: Findings, minor: number, root: Placed): void {
  for (const device of entriesOf(root, ['storage', 'luks'])) {
    const card = memberOf(device.node, 'cex');
    const isEnabled = card && memberOf(card, 'enabled');
    if (isEnabled?.kind !== 'boolean' || !isEnabled.value) continue;
    const place = { node: card ?? device.node, path: memberPath(device.path, 'cex') };
    findings.add('lift-newer-feature', originOfNode(place), {
      message: 'LUKS devices on Crypto Express cards came with Ignition 3.5.0',
    });
  }
  if (minor < 6) return;
  for (const section of ['files', 'directories']) {
    for (const entry of entriesOf(root, ['storage', section])) {
      const mode = memberOf(entry.node, 'mode');
      if (mode?.kind !== 'integer' || mode.value <= maxPlainMode) continue;
      const place = { node: mode, path: memberPath(entry.path, 'mode') };
      findings.add('lift-newer-feature', originOfNode(place), {
        message: 'setuid, setgid and sticky bits have an effect since Ignition 3.6.0 only',
      });
    }
  }
}

/** The entries of the list below `keys`. */
export function entriesOf(root: Placed, keys: readonly string[]): Placed[] {
  let node: SyntaxNode | undefined = root.node;
  let { path } = root;
  for (const key of keys) {
    node = node && memberOf(node, key);
    path = memberPath(path, key);
  }
  if (node?.kind !== 'array') return [];
  return node.items.map((item, index) => ({ node: item, path: itemPath(path, index) }));
}
