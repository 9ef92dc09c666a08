import { machineConfigurationApiVersion } from '@slipway/api';
import type { Issue } from '@slipway/base';
import { type SyntaxNode, type SyntaxTree, subtree } from '@slipway/ignition';
import { issueCode } from '../errors.ts';

const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxNameLength = 253;

/** What is wrong with how an object says what it is: API version, name, labels. Without positions. */
export function identityIssues(tree: SyntaxTree): readonly Issue[] {
  if (tree.root.kind !== 'object') return [];
  return [...apiVersionIssues(tree), ...nameIssues(tree), ...labelIssues(tree)];
}

function valueAt(tree: SyntaxTree, ...keys: readonly string[]): SyntaxNode | undefined {
  const node = subtree(tree, keys)?.root;
  return node?.kind === 'null' ? undefined : node;
}

function error(code: string, path: string, message: string, hint?: string): Issue {
  return { code, severity: 'error', path, message, ...(hint === undefined ? {} : { hint }) };
}

function apiVersionIssues(tree: SyntaxTree): readonly Issue[] {
  const node = valueAt(tree, 'apiVersion');
  const found = node?.kind === 'string' ? node.value : undefined;
  if (found === machineConfigurationApiVersion) return [];
  const isOpenShift = found?.startsWith('machineconfiguration.openshift.io/') === true;
  const hint = isOpenShift
    ? '`slipway machine-config convert` makes objects of slipway of it'
    : `write apiVersion: ${machineConfigurationApiVersion}`;
  const message =
    node === undefined ? 'apiVersion is missing' : `unknown apiVersion ${JSON.stringify(found)}`;
  return [error(issueCode.apiVersionUnknown, 'apiVersion', message, hint)];
}

function nameIssues(tree: SyntaxTree): readonly Issue[] {
  const node = valueAt(tree, 'metadata', 'name');
  if (node === undefined)
    return [error(issueCode.missingField, 'metadata.name', 'metadata.name is missing')];
  if (node.kind !== 'string') {
    const message = `must be a text, not ${node.kind}`;
    return [error(issueCode.wrongType, 'metadata.name', message, 'write it in quotes')];
  }
  if (namePattern.test(node.value) && node.value.length <= maxNameLength) return [];
  const message = `${JSON.stringify(node.value)} cannot be the name of an object`;
  const hint = 'use lower-case letters, digits, "-" and ".", as in 99-worker-chrony';
  return [error(issueCode.nameInvalid, 'metadata.name', message, hint)];
}

function labelIssues(tree: SyntaxTree): readonly Issue[] {
  const labels = valueAt(tree, 'metadata', 'labels');
  if (labels === undefined) return [];
  if (labels.kind !== 'object') {
    const message = `must be an object, not ${labels.kind}`;
    return [error(issueCode.wrongType, 'metadata.labels', message)];
  }
  return labels.members.flatMap(({ key, value }) => {
    if (value.kind === 'string') return [];
    const path = `metadata.labels[${JSON.stringify(key)}]`;
    const message = `the value of a label must be a text, not ${value.kind}`;
    return [error(issueCode.wrongType, path, message, 'write it in quotes')];
  });
}
