import { type Findings, itemPath, memberPath, type Placed } from '../findings.ts';
import { shown } from '../path-rules.ts';
import type { ObjectShape } from '../schema.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { originOfNode } from './mark-origins.ts';
import { nestedShapeOf } from './nested-shape.ts';

/** Minor version of 3.x that brought a field in; fields that are not listed came with 3.0. */
const fieldsSince: Readonly<Record<string, number>> = {
  proxy: 1,
  httpHeaders: 1,
  luks: 2,
  shouldExist: 2,
  kernelArguments: 3,
};
const schemesSince: Readonly<Record<string, number>> = { gs: 2, arn: 4 };

/** The node without what Ignition 3.`minor` did not know, which is reported. */
export function leaveOutNewer(
  findings: Findings,
  minor: number,
  { node, path }: Placed,
  shape: ObjectShape,
): SyntaxNode {
  if (node.kind === 'array') {
    const items = node.items.map((item, index) =>
      leaveOutNewer(findings, minor, { node: item, path: itemPath(path, index) }, shape),
    );
    return { ...node, items };
  }
  if (node.kind !== 'object') return node;
  const members = node.members.flatMap((member) => {
    const { key, value, range } = member;
    const memberAt = memberPath(path, key);
    const isKnown = Object.hasOwn(shape.fields, key) || Object.hasOwn(shape.unsupported, key);
    if (!isKnown || (fieldsSince[key] ?? 0) > minor) {
      findings.add(
        'unknown-field',
        { path: value.origin ?? memberAt, range },
        {
          message: `${shown(key)} is not a field of Ignition 3.${minor}.0 and is left out`,
          severity: 'warning',
        },
      );
      return [];
    }
    const inner = nestedShapeOf(shape, key);
    const placed = { node: value, path: memberAt };
    if (inner !== undefined)
      return [{ ...member, value: leaveOutNewer(findings, minor, placed, inner) }];
    checkOldValue(findings, minor, key, placed);
    return [member];
  });
  return { ...node, members };
}

function checkOldValue(findings: Findings, minor: number, key: string, value: Placed): void {
  const { node } = value;
  if (node.kind !== 'string') return;
  const scheme = key === 'source' ? (node.value.split(':', 1)[0] ?? '').toLowerCase() : '';
  if ((schemesSince[scheme] ?? 0) > minor) {
    findings.add('url-scheme', originOfNode(value), {
      message: `Ignition 3.${minor}.0 has no source of scheme ${scheme}`,
    });
  }
  if (key === 'hash' && minor === 0 && node.value.startsWith('sha256-')) {
    findings.add('hash-function', originOfNode(value), { message: 'Ignition 3.0.0 has no sha256' });
  }
}
