import { type MachineConfig, machineConfigPools, roleLabel } from '@slipway/api';
import { hasErrors, type Issue } from '@slipway/base';
import {
  emptyIgnitionConfig,
  jsonOf,
  readIgnition,
  type SyntaxNode,
  type SyntaxTree,
  subtree,
  treeFromJson,
} from '@slipway/ignition';
import type { HostConfig } from '../diff/config-diff.ts';
import { forceFilePath } from '../diff/reconcilable.ts';
import { issueCode } from '../errors.ts';
import { sizeIssues, sizeOf } from './size.ts';

export type MachineConfigReading = {
  /** What the MachineConfig declares; undefined when any issue is an error. */
  readonly host?: HostConfig;
  readonly issues: readonly Issue[];
  /** Size of the spec as it is stored. */
  readonly bytes: number;
};

const rootFields = ['apiVersion', 'kind', 'metadata', 'spec'];
const specFields = ['config', 'kernelArguments'];

type Fault = Pick<Issue, 'code' | 'path' | 'message'> & Partial<Pick<Issue, 'hint' | 'severity'>>;

/** An issue at a node, with its position where the text is known. */
function issueAt(tree: SyntaxTree, range: SyntaxNode['range'], fault: Fault): Issue {
  const position = range === undefined ? undefined : tree.source?.positionAt(range.start);
  const where = position === undefined ? {} : { line: position.line, column: position.column };
  return { severity: 'error', ...fault, ...where };
}

/** Fields that are not known, or written twice. */
function fieldIssues(
  tree: SyntaxTree,
  node: SyntaxNode,
  path: string,
  known: readonly string[],
): readonly Issue[] {
  if (node.kind !== 'object') {
    const message = `must be an object, not ${node.kind}`;
    return [issueAt(tree, node.range, { code: issueCode.wrongType, path, message })];
  }
  const seen = new Set<string>();
  return node.members.flatMap(({ key, range }) => {
    const again = seen.has(key);
    seen.add(key);
    if (known.includes(key) && !again) return [];
    const message = again ? `${key} appears twice` : `unknown field ${key}`;
    const hint = `known fields: ${known.join(', ')}`;
    const at = path === '' ? key : `${path}.${key}`;
    return [issueAt(tree, range, { code: issueCode.unknownField, path: at, message, hint })];
  });
}

function hasControlCharacter(text: string): boolean {
  return [...text].some(
    (character) => (character.codePointAt(0) ?? 0) < 0x20 || character === '\x7f',
  );
}

function argumentFault(node: SyntaxNode): string | undefined {
  if (node.kind !== 'string') return `must be a string, not ${node.kind}`;
  if (node.value.trim() === '') return 'is empty';
  return hasControlCharacter(node.value) ? 'contains a control character' : undefined;
}

function kernelArgumentIssues(tree: SyntaxTree): readonly Issue[] {
  const path = 'spec.kernelArguments';
  const root = subtree(tree, ['spec', 'kernelArguments'])?.root;
  if (root === undefined || root.kind === 'null') return [];
  if (root.kind !== 'array') {
    const message = `must be a list of strings, not ${root.kind}`;
    return [issueAt(tree, root.range, { code: issueCode.wrongType, path, message })];
  }
  return root.items.flatMap((item, index) => {
    const message = argumentFault(item);
    if (message === undefined) return [];
    const at = `${path}[${index}]`;
    return [
      issueAt(tree, item.range, { code: issueCode.kernelArgumentInvalid, path: at, message }),
    ];
  });
}

/** Rendered MachineConfigs belong to their pool and carry no role. */
function isRendered(object: MachineConfig): boolean {
  return (object.metadata?.ownerReferences ?? []).some(
    ({ kind }) => kind === machineConfigPools.kind,
  );
}

function roleIssues(object: MachineConfig): readonly Issue[] {
  if (object.metadata?.labels?.[roleLabel] !== undefined || isRendered(object)) return [];
  return [
    {
      code: issueCode.roleMissing,
      severity: 'warning',
      path: 'metadata.labels',
      message: `without label ${roleLabel} no pool selects this MachineConfig by role`,
      hint: `add ${roleLabel}: worker`,
    },
  ];
}

function forceFileIssues(host: HostConfig): readonly Issue[] {
  return host.ignition.files.flatMap(({ path }, index) =>
    path === forceFilePath
      ? [
          {
            code: issueCode.forceFile,
            severity: 'error',
            path: `spec.config.storage.files[${index}].path`,
            message: `${forceFilePath} asks the daemon to reapply everything and cannot be declared`,
          },
        ]
      : [],
  );
}

function readConfig(tree: SyntaxTree) {
  const config = subtree(tree, ['spec', 'config']);
  if (config === undefined || config.root.kind === 'null')
    return { config: emptyIgnitionConfig, issues: [] };
  return readIgnition(config, { prefix: 'spec.config', rootFiles: 'refuse' });
}

function specIssues(tree: SyntaxTree, bytes: number): readonly Issue[] {
  const spec = subtree(tree, ['spec'])?.root;
  const unknown =
    spec === undefined || spec.kind === 'null' ? [] : fieldIssues(tree, spec, 'spec', specFields);
  return [...unknown, ...kernelArgumentIssues(tree), ...sizeIssues(bytes, 'spec')];
}

/**
 * Judges a MachineConfig: the one validator of CLI, admission and rendering. Collects all findings, with
 * positions where the tree has a text, and never throws.
 */
export function readMachineConfig(tree: SyntaxTree): MachineConfigReading {
  const shape = fieldIssues(tree, tree.root, '', rootFields);
  if (tree.root.kind !== 'object') return { issues: shape, bytes: 0 };
  const object = jsonOf(tree.root) as MachineConfig;
  const bytes = sizeOf(object.spec);
  const { config, issues: found } = readConfig(tree);
  const issues = [...shape, ...specIssues(tree, bytes), ...found, ...roleIssues(object)];
  if (config === undefined || hasErrors(issues)) return { issues, bytes };
  const host: HostConfig = {
    ignition: config,
    kernelArguments: object.spec?.kernelArguments ?? [],
  };
  const forced = forceFileIssues(host);
  return hasErrors(forced) ? { issues: [...issues, ...forced], bytes } : { host, issues, bytes };
}

/** All findings about a MachineConfig that is already parsed, as admission gets it. */
export function validateMachineConfig(object: unknown): readonly Issue[] {
  return readMachineConfig(treeFromJson(object)).issues;
}

/** What a rendered MachineConfig says a host shall have; undefined when it is not valid. */
export function hostConfigOf(config: MachineConfig): HostConfig | undefined {
  return readMachineConfig(treeFromJson(config)).host;
}
