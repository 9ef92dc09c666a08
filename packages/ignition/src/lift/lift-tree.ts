import type { Issue } from '@slipway/base';
import { Findings, memberPath, missingIn, type Placed } from '../findings.ts';
import { ignitionVersion } from '../model.ts';
import { shown } from '../path-rules.ts';
import { shapes } from '../schema.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax-tree.ts';
import { memberOf, withVersion } from './edit-node.ts';
import { leaveOutNewer } from './leave-out-newer.ts';
import { liftTwo } from './lift-two.ts';
import { markOrigins } from './mark-origins.ts';
import { refuseNewer } from './refuse-newer.ts';

export type LiftedTree = {
  /** The config as Ignition 3.4.0, not validated; `undefined` when it cannot be converted. */
  readonly tree?: SyntaxTree;
  /**
   * Errors refuse the conversion; warnings name what was left out because 3.4.0 has nothing like it; what
   * is converted to something that is not quite the same is told as info.
   */
  readonly issues: readonly Issue[];
};

const currentMinor = 4;

/**
 * Converts a config of Ignition 2.0 to 2.4, or 3.0 to 3.6, to 3.4.0, keeping the position of every value. What
 * slipway does not support is carried along: whoever converts decides what becomes of it, and `readIgnition`
 * judges the result. Versions 3.5 and 3.6 are only taken where they use nothing that 3.4.0 lacks.
 *
 * @param prefix JSON path of the config in its document. Default: the document itself.
 */
export function liftTree(tree: SyntaxTree, prefix = ''): LiftedTree {
  const findings = new Findings(tree.source);
  const root = { node: markOrigins(tree.root, prefix), path: prefix };
  const version = readVersion(findings, root);
  const lifted = version && liftFrom(findings, version, root);
  const issues = findings.issues();
  if (lifted === undefined || !findings.isAccepted()) return { issues };
  return { tree: { ...tree, root: withVersion(lifted) }, issues };
}

type Version = { readonly major: 2 | 3; readonly minor: number };

function liftFrom(findings: Findings, { major, minor }: Version, root: Placed): SyntaxNode {
  if (major === 2) return liftTwo(findings, root);
  if (minor < currentMinor) return leaveOutNewer(findings, minor, root, shapes.config);
  if (minor > currentMinor) refuseNewer(findings, minor, root);
  return root.node;
}

function readVersion(findings: Findings, root: Placed): Version | undefined {
  const ignition = memberOf(root.node, 'ignition');
  const version = ignition && memberOf(ignition, 'version');
  const path = memberPath(memberPath(root.path, 'ignition'), 'version');
  const place = version
    ? { path: version.origin ?? path, range: version.range }
    : { ...missingIn(root, 'ignition'), path };
  const text = version?.kind === 'string' ? version.value : '';
  if (!/^\d+\.\d+\.\d+(?:[-+].*)?$/.test(text)) {
    const message = text === '' ? 'the config has no version' : `${shown(text)} is no version`;
    findings.add('version-unparsable', place, { message, hint: 'for example version: 3.2.0' });
    return undefined;
  }
  const minor = /^2\.([0-4])\.0$/.exec(text)?.[1];
  if (minor !== undefined) return { major: 2, minor: Number(minor) };
  const minorOfThree = /^3\.([0-6])\.0$/.exec(text)?.[1];
  if (minorOfThree !== undefined) return { major: 3, minor: Number(minorOfThree) };
  findings.add('version-unsupported', place, {
    message: `version ${shown(text)} cannot be converted to ${ignitionVersion}`,
    hint: 'versions 2.0.0 to 2.4.0 and 3.0.0 to 3.6.0 can; experimental ones cannot',
  });
  return undefined;
}
