import { type Issue, isJsonObject, type JsonObject } from '@slipway/base';
import { issueCatalogue } from './codes.ts';
import { Findings, memberPath, missingIn, type Placed } from './findings.ts';
import { memberOf, withVersion } from './lift/edit-node.ts';
import { leaveOutNewer } from './lift/leave-out-newer.ts';
import { ignitionVersion } from './model.ts';
import { shown } from './path-rules.ts';
import { readIgnition } from './read-ignition.ts';
import { shapes } from './schema.ts';
import { jsonOf, type SyntaxTree } from './syntax-tree.ts';

export type LiftResult = {
  /** The config as Ignition 3.4.0; `undefined` when it cannot be lifted. */
  readonly document?: JsonObject;
  /**
   * What was wrong by the rules of Ignition (errors), what was left out, and what validation of the result will
   * refuse although Ignition does not (warnings).
   */
  readonly issues: readonly Issue[];
};

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
  const lifted =
    minor === currentMinor ? tree.root : leaveOutNewer(findings, minor, root, shapes.config);
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
