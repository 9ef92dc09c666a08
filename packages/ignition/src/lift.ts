import { type Issue, isJsonObject, type JsonObject } from '@slipway/base';
import { issueCatalogue } from './codes.ts';
import { Findings, itemPath, memberPath, missingIn, type Placed } from './findings.ts';
import { ignitionVersion } from './model.ts';
import { shown } from './path-rules.ts';
import { readIgnition } from './read-ignition.ts';
import { type ObjectShape, shapes } from './schema.ts';
import { jsonOf, type SyntaxNode, type SyntaxTree } from './syntax-tree.ts';

export type LiftResult = {
  /** The config as Ignition 3.4.0; `undefined` when it cannot be lifted. */
  readonly document?: JsonObject;
  /**
   * What was wrong by the rules of Ignition (errors), what was left out, and what validation of the result will
   * refuse although Ignition does not (warnings).
   */
  readonly issues: readonly Issue[];
};

/** Shape of the objects in each field that has objects or lists of objects. */
const nestedShapes: Readonly<Record<string, ObjectShape>> = {
  ignition: shapes.ignition,
  storage: shapes.storage,
  systemd: shapes.systemd,
  passwd: shapes.passwd,
  files: shapes.file,
  user: shapes.owner,
  group: shapes.owner,
  verification: shapes.verification,
  units: shapes.unit,
  dropins: shapes.dropin,
  users: shapes.user,
};

/** Minor version of 3.x that brought a field in; fields that are not listed came with 3.0. */
const fieldsSince: Readonly<Record<string, number>> = {
  proxy: 1,
  httpHeaders: 1,
  luks: 2,
  shouldExist: 2,
  kernelArguments: 3,
};
const schemesSince: Readonly<Record<string, number>> = { gs: 2, arn: 4 };
const currentMinor = 4;

/**
 * Lifts a config of Ignition 3.0 to 3.3 to 3.4.0. For what slipway supports the versions only differ in fields and
 * schemes that were added; what a version did not know, its readers ignored, so it is left out here with a warning.
 */
export function liftIgnition(tree: SyntaxTree, prefix = ''): LiftResult {
  const findings = new Findings(tree.source);
  const root = { node: tree.root, path: prefix };
  const minor = readMinor(findings, root);
  if (minor === undefined) return { issues: findings.issues() };
  const lifted = minor === currentMinor ? tree.root : lift(findings, minor, root, shapes.config);
  const versioned = withVersion(lifted);
  const source = tree.source === undefined ? {} : { source: tree.source };
  const read = readIgnition({ root: versioned, ...source }, { prefix });
  const issues = [...findings.issues(), ...read.issues.map(onlyIgnitionRefuses)];
  const document = jsonOf(versioned);
  const isRefused = issues.some(({ severity }) => severity === 'error');
  return isRefused || !isJsonObject(document)
    ? { issues }
    : { document: document as JsonObject, issues };
}

/** Lifting is no validation: the rules that are only ours are warnings here and errors afterwards. */
function onlyIgnitionRefuses(issue: Issue): Issue {
  const isOurs = issueCatalogue.get(issue.code)?.rule === 'slipway';
  return isOurs && issue.severity === 'error' ? { ...issue, severity: 'warning' } : issue;
}

function readMinor(findings: Findings, root: Placed): number | undefined {
  const ignition = memberOf(root.node, 'ignition');
  const version = ignition && memberOf(ignition, 'version');
  const path = memberPath(memberPath(root.path, 'ignition'), 'version');
  const place = version ? { node: version, path } : { ...missingIn(root, 'ignition'), path };
  const text = version?.kind === 'string' ? version.value : '';
  const isVersion = /^\d+\.\d+\.\d+(?:[-+].*)?$/.test(text);
  if (!isVersion) {
    const message = text === '' ? 'the config has no version' : `${shown(text)} is no version`;
    findings.add('version-unparsable', place, { message, hint: 'for example version: 3.2.0' });
    return undefined;
  }
  const minor = /^3\.([0-4])\.0$/.exec(text)?.[1];
  if (minor === undefined) {
    findings.add('version-unsupported', place, {
      message: `version ${shown(text)} cannot be lifted to ${ignitionVersion}`,
      hint: 'versions 3.0.0 to 3.4.0 can',
    });
    return undefined;
  }
  return Number(minor);
}

function memberOf(node: SyntaxNode, key: string): SyntaxNode | undefined {
  if (node.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key)?.value;
}

/** The node without what its version did not know. */
function lift(
  findings: Findings,
  minor: number,
  { node, path }: Placed,
  shape: ObjectShape,
): SyntaxNode {
  if (node.kind === 'array') {
    const items = node.items.map((item, index) =>
      lift(findings, minor, { node: item, path: itemPath(path, index) }, shape),
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
        { path: memberAt, range },
        {
          message: `${shown(key)} is not a field of Ignition 3.${minor}.0 and is left out`,
          severity: 'warning',
        },
      );
      return [];
    }
    const inner = nestedShapeOf(shape, key);
    const placed = { node: value, path: memberAt };
    if (inner !== undefined) return [{ ...member, value: lift(findings, minor, placed, inner) }];
    checkOldValue(findings, minor, key, placed);
    return [member];
  });
  return { ...node, members };
}

/** `contents` is an object in files and a text in units. */
function nestedShapeOf(shape: ObjectShape, key: string): ObjectShape | undefined {
  if (key === 'contents') return shape === shapes.file ? shapes.contents : undefined;
  return Object.hasOwn(shape.unsupported, key) ? undefined : nestedShapes[key];
}

function checkOldValue(findings: Findings, minor: number, key: string, value: Placed): void {
  const { node } = value;
  if (node.kind !== 'string') return;
  const scheme = key === 'source' ? (node.value.split(':', 1)[0] ?? '').toLowerCase() : '';
  if ((schemesSince[scheme] ?? 0) > minor) {
    findings.add('url-scheme', value, {
      message: `Ignition 3.${minor}.0 has no source of scheme ${scheme}`,
    });
  }
  if (key === 'hash' && minor === 0 && node.value.startsWith('sha256-')) {
    findings.add('hash-function', value, { message: 'Ignition 3.0.0 has no sha256' });
  }
}

function withVersion(node: SyntaxNode): SyntaxNode {
  return replaceMember(node, 'ignition', (ignition) =>
    replaceMember(ignition, 'version', () => ({ kind: 'string', value: ignitionVersion })),
  );
}

function replaceMember(
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
