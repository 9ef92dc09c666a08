import type { Issue } from '@slipway/base';
import { itemPath, memberPath, type SyntaxNode, type SyntaxTree } from '@slipway/ignition';
import { locateIssue } from '../document/locate-issue.ts';

/** Issues about a converted object as issues about what it was converted from. */
export function toOrigin(issues: readonly Issue[], tree: SyntaxTree): readonly Issue[] {
  if (issues.length === 0) return issues;
  const origins = new Map<string, string>();
  note(origins, tree.root, '');
  return issues.map((issue) => {
    const located = locateIssue(issue, tree);
    return { ...located, path: originOf(origins, located.path) };
  });
}

function note(origins: Map<string, string>, node: SyntaxNode, path: string): void {
  if (node.origin !== undefined) origins.set(path, node.origin);
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) note(origins, item, itemPath(path, index));
  }
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) note(origins, value, memberPath(path, key));
}

/** The origin of the nearest value above `path` that has one, and the rest of the path. */
function originOf(origins: ReadonlyMap<string, string>, path: string): string {
  let known = path;
  while (known !== '' && !origins.has(known)) {
    known = known.slice(0, Math.max(known.lastIndexOf('.'), known.lastIndexOf('['), 0));
  }
  const origin = origins.get(known) ?? '';
  const rest = path.slice(known.length);
  return origin === ''
    ? rest.replace(/^\./, '')
    : `${origin}${known === '' && rest !== '' ? '.' : ''}${rest}`;
}
