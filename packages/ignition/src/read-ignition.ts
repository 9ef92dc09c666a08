import type { Issue } from '@slipway/base';
import { checkAcross, checkDuplicates } from './cross-checks.ts';
import { rememberContents } from './effective.ts';
import { itemsOf, readFields } from './fields.ts';
import { Findings, itemPath, memberPath, missingIn, type Placed } from './findings.ts';
import { type IgnitionConfig, ignitionVersion, managedUserName } from './model.ts';
import { shown } from './path-rules.ts';
import { maxConfigBytes } from './read-contents.ts';
import { readFile } from './read-file.ts';
import { refuseKernelArguments } from './read-kernel-arguments.ts';
import { readUser } from './read-passwd.ts';
import { readUnit } from './read-unit.ts';
import { shapes } from './schema.ts';
import type { SyntaxNode, SyntaxTree } from './syntax-tree.ts';

export type ReadOptions = {
  /** JSON path of the config in its document, e.g. `spec.config`. Default: the document itself. */
  readonly prefix?: string;
  /**
   * What to do about files directly in `/`: valid Ignition, but the daemon refuses them on a host whose root
   * is not writable. Default `warn`.
   */
  readonly rootFiles?: 'refuse' | 'warn';
};

export type ReadResult = {
  /** The config; `undefined` when any issue is an error. */
  readonly config?: IgnitionConfig;
  /** Every finding, in the order of the text where it is known. */
  readonly issues: readonly Issue[];
};

/**
 * Validates an Ignition config and decodes it. Collects all findings and never throws; contents are decoded,
 * decompressed and verified on the way, so an accepted config cannot fail there later.
 */
export function readIgnition(tree: SyntaxTree, options: ReadOptions = {}): ReadResult {
  const findings = new Findings(tree.source);
  const root: Placed = { node: tree.root, path: options.prefix ?? '' };
  checkKeys(findings, root);
  const config = readConfig(findings, root, options.rootFiles ?? 'warn');
  const issues = findings.issues();
  return findings.isAccepted() ? { config, issues } : { issues };
}

function readConfig(
  findings: Findings,
  root: Placed,
  rootFiles: 'refuse' | 'warn',
): IgnitionConfig {
  const fields = readFields(findings, root, shapes.config);
  checkVersion(findings, fields.get('ignition') ?? missing(root, 'ignition'));
  const kernelArguments = fields.get('kernelArguments');
  if (kernelArguments) refuseKernelArguments(findings, kernelArguments);
  const budget = { left: maxConfigBytes };
  const storage = fields.get('storage');
  const files = itemsOf(storage && readFields(findings, storage, shapes.storage).get('files')).map(
    (value) => ({ ...readFile(findings, value, { rootFiles, budget }), value }),
  );
  const systemd = fields.get('systemd');
  const units = itemsOf(systemd && readFields(findings, systemd, shapes.systemd).get('units')).map(
    (value) => readUnit(findings, value),
  );
  const passwd = fields.get('passwd');
  const users = itemsOf(passwd && readFields(findings, passwd, shapes.passwd).get('users')).map(
    (value) => readUser(findings, value),
  );
  checkDuplicates(
    findings,
    files.map(({ file, value }) => ({ key: file.path, value })),
    'file',
  );
  checkDuplicates(
    findings,
    units.map(({ unit, value }) => ({ key: unit.name, value })),
    'unit',
  );
  for (const { unit, dropins } of units) checkDropins(findings, unit.dropins, dropins);
  checkDuplicates(
    findings,
    users.map(({ name, value }) => ({ key: name, value })),
    'user',
  );
  checkAcross(findings, { files, units, managesKeys: users.length > 0 });
  for (const { file, bytes } of files) if (bytes) rememberContents(file, bytes);
  const boot = users.find(({ name }) => name === managedUserName);
  return {
    version: ignitionVersion,
    files: files.map(({ file }) => file),
    units: units.map(({ unit }) => unit),
    ...(boot && { sshAuthorizedKeys: boot.keys }),
  };
}

function checkDropins(
  findings: Findings,
  dropins: readonly { readonly name: string }[],
  values: readonly Placed[],
): void {
  const entries = values.map((value, index) => ({ key: dropins[index]?.name ?? '', value }));
  checkDuplicates(findings, entries, 'drop-in');
}

/** Stands for a section that is not there, so that "version is missing" has a place. */
function missing(parent: Placed, name: string): Placed {
  const { path, range } = missingIn(parent, name);
  return { path, node: range === undefined ? { kind: 'null' } : { kind: 'null', range } };
}

function checkVersion(findings: Findings, ignition: Placed): void {
  const fields = readFields(findings, ignition, shapes.ignition);
  const inner = fields.get('config');
  if (inner) readFields(findings, inner, shapes.ignitionConfig);
  const version = fields.get('version');
  if (fields.isMistyped('version') || version?.node.value === ignitionVersion) return;
  findings.add('version-unsupported', version ?? missingIn(ignition, 'version'), {
    message:
      version === undefined
        ? 'the config has no version'
        : `version ${shown(version.node.value)} is not supported, only ${ignitionVersion}`,
    hint: versionHint(version?.node.value),
  });
}

function versionHint(version: string | undefined): string {
  if (version !== undefined && /^(2\.\d+|3\.[0-3])\.\d+$/.test(version)) {
    return `convert the config to ${ignitionVersion}; slipway machine-config convert does so`;
  }
  return `write version: ${ignitionVersion}`;
}

/** No Ignition config is as deep; the bound keeps every walk of the tree within the stack. */
const maxDepth = 32;

/** Reports keys that appear twice in an object, anywhere in the config. */
function checkKeys(findings: Findings, value: Placed, depth = 0): void {
  const { node, path } = value;
  if (depth > maxDepth) {
    findings.add('too-deep', value, { message: `more than ${maxDepth} levels of nesting` });
    return;
  }
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) {
      if (isNested(item))
        checkKeys(findings, { node: item, path: itemPath(path, index) }, depth + 1);
    }
  }
  if (node.kind !== 'object') return;
  const seen = new Set<string>();
  for (const { key, range, value: member } of node.members) {
    if (seen.has(key)) {
      findings.add(
        'duplicate-key',
        { path: memberPath(path, key), range },
        {
          message: `${shown(key)} appears twice in this object`,
        },
      );
    }
    seen.add(key);
    if (isNested(member))
      checkKeys(findings, { node: member, path: memberPath(path, key) }, depth + 1);
  }
}

function isNested(node: SyntaxNode): boolean {
  return node.kind === 'object' || node.kind === 'array';
}
