import type { Issue } from '@slipway/base';
import { type SyntaxNode, type SyntaxTree, subtree } from '@slipway/ignition';

const step = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([A-Za-z_$][\w$-]*)/g;

/** The keys and indexes of a JSON path in Kubernetes spelling. */
function keysOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(step)].map(([, quoted, index, name]) => {
    if (quoted !== undefined) return String(JSON.parse(`"${quoted}"`));
    return index === undefined ? (name ?? '') : Number(index);
  });
}

/** The value at a path, or the nearest one above it that exists. */
function nearestNode(tree: SyntaxTree, path: string): SyntaxNode {
  const keys = keysOf(path);
  for (let count = keys.length; count > 0; count -= 1) {
    const found = subtree(tree, keys.slice(0, count));
    if (found !== undefined) return found.root;
  }
  return tree.root;
}

/** Line and column of the value at a path, or of what is nearest above it; undefined without a text. */
export function positionOf(tree: SyntaxTree, path: string) {
  const range = nearestNode(tree, path).range ?? tree.root.range;
  return range === undefined ? undefined : tree.source?.positionAt(range.start);
}

/** An issue with its place in the text, where it does not have one already. */
export function locateIssue(issue: Issue, tree: SyntaxTree): Issue {
  if (issue.line !== undefined) return issue;
  const position = positionOf(tree, issue.path);
  return position === undefined ? issue : { ...issue, ...position };
}
