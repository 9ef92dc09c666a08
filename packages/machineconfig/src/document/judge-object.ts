import {
  type CustomResourceDefinition,
  type MachineConfigPool,
  type MachineConfiguration,
  machineConfigPools,
  machineConfigs,
  machineConfigurationApiVersion,
  machineConfigurationDefinitions,
  machineConfigurationGroup,
  machineConfigurations,
} from '@slipway/api';
import { hasErrors, type Issue, isJsonObject } from '@slipway/base';
import { jsonOf, nearestKey, readIgnition, type SyntaxTree, subtree } from '@slipway/ignition';
import type { HostConfig } from '../diff/config-diff.ts';
import { machineConfigurationIssues } from '../disruption/policy-issues.ts';
import { issueCode } from '../errors.ts';
import { poolIssues } from '../rollout/pool-issues.ts';
import { readMachineConfig } from '../validate/read-machine-config.ts';
import { identityIssues } from './identity-issues.ts';
import { schemaIssues } from './schema-issues.ts';
import { withoutNulls } from './without-nulls.ts';

export type ObjectKind =
  | 'MachineConfig'
  | 'MachineConfigPool'
  | 'MachineConfiguration'
  /** A bare Ignition config. */
  | 'Ignition'
  /** Something that these rules do not know. */
  | 'other';

export type Judgement = {
  readonly kind: ObjectKind;
  readonly issues: readonly Issue[];
  /** What a valid MachineConfig or Ignition config declares. */
  readonly host?: HostConfig;
};

/** Finds out what a document is and everything that is wrong with it. Paths are those within the object. */
export function judgeObject(tree: SyntaxTree): Judgement {
  const kind = textAt(tree, 'kind');
  const judge = kind === undefined ? undefined : judges.get(kind);
  if (judge === undefined) return kind === undefined ? judgeNameless(tree) : judgeOther(tree, kind);
  const judged = judge(tree);
  return { ...judged, issues: [...identityIssues(tree), ...judged.issues] };
}

const judges: ReadonlyMap<string, (tree: SyntaxTree) => Judgement> = new Map([
  [machineConfigs.kind, judgeMachineConfig],
  [machineConfigPools.kind, judgePool],
  [machineConfigurations.kind, judgePolicy],
]);

function judgeMachineConfig(tree: SyntaxTree): Judgement {
  const { host, issues } = readMachineConfig(tree);
  return { kind: 'MachineConfig', issues, ...(host && { host }) };
}

function judgePool(tree: SyntaxTree): Judgement {
  const shape = shapeIssues(tree, machineConfigPools.kind);
  const pool = jsonOf(withoutNulls(tree.root)) as MachineConfigPool;
  const issues = hasErrors(shape) ? shape : [...shape, ...poolIssues(pool)];
  return { kind: 'MachineConfigPool', issues };
}

function judgePolicy(tree: SyntaxTree): Judgement {
  const shape = shapeIssues(tree, machineConfigurations.kind);
  const policy = jsonOf(withoutNulls(tree.root)) as MachineConfiguration;
  const issues = hasErrors(shape) ? shape : [...shape, ...machineConfigurationIssues(policy)];
  return { kind: 'MachineConfiguration', issues };
}

/** The fields of an object and of its spec; a status is written by slipway and read by nobody here. */
function shapeIssues(tree: SyntaxTree, kind: string): readonly Issue[] {
  const open = Object.fromEntries(
    ['apiVersion', 'kind', 'metadata', 'status'].map((name) => [name, {}]),
  );
  const properties = { ...open, spec: specSchema(kind) };
  return schemaIssues(tree, { type: 'object', properties }, '');
}

function specSchema(kind: string): unknown {
  const definition = machineConfigurationDefinitions.find(
    (candidate: CustomResourceDefinition) => candidate.spec.names.kind === kind,
  );
  const schema = definition?.spec.versions[0]?.schema?.openAPIV3Schema;
  const properties = schema?.['properties'];
  return isJsonObject(properties) ? properties['spec'] : {};
}

function judgeIgnition(tree: SyntaxTree): Judgement {
  const { config, issues } = readIgnition(tree, { rootFiles: 'refuse' });
  if (config === undefined) return { kind: 'Ignition', issues };
  return { kind: 'Ignition', issues, host: { ignition: config, kernelArguments: [] } };
}

function judgeNameless(tree: SyntaxTree): Judgement {
  const { root } = tree;
  const has = (key: string) => root.kind === 'object' && root.members.some((it) => it.key === key);
  if (['ignition', 'storage', 'systemd', 'passwd'].some(has) && !has('variant'))
    return judgeIgnition(tree);
  const hint = has('variant')
    ? '`slipway machine-config convert` makes a MachineConfig of Butane'
    : `write apiVersion: ${machineConfigurationApiVersion} and kind: MachineConfig`;
  const found = root.kind === 'object' ? 'the document has no kind' : `${root.kind} is no object`;
  return other({ code: issueCode.kindUnknown, severity: 'error', path: '', message: found, hint });
}

function judgeOther(tree: SyntaxTree, kind: string): Judgement {
  const apiVersion = textAt(tree, 'apiVersion') ?? '';
  const near = nearestKey(kind, [...judges.keys()]);
  const isOurs = apiVersion.startsWith(`${machineConfigurationGroup}/`);
  if (near === undefined && (!isOurs || kind === 'MachineConfigNode'))
    return other({
      code: issueCode.kindForeign,
      severity: 'warning',
      path: 'kind',
      message: `${kind} is not checked here`,
      hint: 'it was passed over',
    });
  const hint =
    near === undefined ? `known kinds: ${[...judges.keys()].join(', ')}` : `did you mean ${near}?`;
  const message = `unknown kind ${kind}`;
  return other({ code: issueCode.kindUnknown, severity: 'error', path: 'kind', message, hint });
}

function other(issue: Issue): Judgement {
  return { kind: 'other', issues: [issue] };
}

/** A text member of the root. */
export function textAt(tree: SyntaxTree, key: string): string | undefined {
  const node = subtree(tree, [key])?.root;
  return node?.kind === 'string' ? node.value : undefined;
}
