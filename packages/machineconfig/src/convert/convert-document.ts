import {
  machineConfigPools,
  machineConfigs,
  machineConfigurationApiVersion,
  machineConfigurations,
} from '@slipway/api';
import { hasErrors, type Issue, isJsonObject, type JsonObject } from '@slipway/base';
import {
  encodeIgnition,
  jsonOf,
  markOrigins,
  memberOf,
  type ObjectNode,
  type SyntaxNode,
  type SyntaxTree,
} from '@slipway/ignition';
import { judgeObject } from '../document/judge-object.ts';
import { withoutNulls } from '../document/without-nulls.ts';
import { issueCode } from '../errors.ts';
import { ConversionReport } from './conversion-report.ts';
import type { ReadLocalFile } from './local-file.ts';
import { fromButane, fromIgnition, fromMachineConfig } from './machine-config.ts';
import { fromPool } from './machine-config-pool.ts';
import { fromMachineConfiguration } from './machine-configuration.ts';
import { type Identity, openShiftGroup } from './object-metadata.ts';
import { toOrigin } from './to-origin.ts';

/** What a document is taken for. `auto` looks at it; `openshift` takes objects of slipway as well. */
export type ConversionSource = 'auto' | 'ignition' | 'butane' | 'openshift';

export type ConversionOptions = {
  /** Default `auto`. */
  readonly from?: ConversionSource;
  /** Name and role of objects whose input has none. */
  readonly identity?: Identity;
  /** Reads files that a Butane config names. Default: such files are refused. */
  readonly readLocal?: ReadLocalFile;
};

export type DocumentConversion = {
  /** Objects of slipway, valid; none when any issue is an error. */
  readonly objects: readonly JsonObject[];
  /** Errors, what was left out (warnings), and what is different now (info); paths are those of the input. */
  readonly issues: readonly Issue[];
  /** True when anything of the input has no counterpart. */
  readonly hasDropped: boolean;
};

const operatorApiVersion = 'operator.openshift.io/v1';

/** Converts one document: an Ignition or Butane config, an object of OpenShift, or a List of such objects. */
export function convertDocument(
  tree: SyntaxTree,
  options: ConversionOptions = {},
): DocumentConversion {
  const report = new ConversionReport(tree.source);
  const objects = convertNode(report, markOrigins(tree.root), options);
  const issues = report.issues();
  return { objects: hasErrors(issues) ? [] : objects, issues, hasDropped: report.hasDropped };
}

function convertNode(
  report: ConversionReport,
  node: SyntaxNode,
  options: ConversionOptions,
): readonly JsonObject[] {
  const items = itemsOf(node);
  if (items !== undefined) return items.flatMap((item) => convertNode(report, item, options));
  const converted = convertOne(report, node, options);
  if (converted === undefined) return [];
  const judged = judge(report, converted);
  return judged === undefined ? [] : [judged];
}

/** The objects of a List, as kubectl prints several of them. */
function itemsOf(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const items = memberOf(node, 'items');
  const isList = textOf(node, 'kind').endsWith('List');
  return isList && items?.kind === 'array' ? items.items : undefined;
}

function textOf(node: SyntaxNode, key: string): string {
  const member = memberOf(node, key);
  return member?.kind === 'string' ? member.value : '';
}

function convertOne(
  report: ConversionReport,
  node: SyntaxNode,
  { from = 'auto', identity = {}, readLocal }: ConversionOptions,
): ObjectNode | undefined {
  const found = sourceOf(node);
  if (node.kind !== 'object' || found === undefined || (from !== 'auto' && from !== found)) {
    const wanted = from === 'auto' ? '' : ` of ${from}`;
    report.refuse(issueCode.convertInput, node, {
      message: `the document is no input${wanted} that can be converted`,
      hint: 'convertible are Ignition (key ignition), Butane (key variant) and objects of OpenShift (key kind)',
    });
    return undefined;
  }
  if (found === 'butane') return fromButane(report, node, identity, readLocal);
  if (found === 'ignition') return fromIgnition(report, node, identity);
  return convertObject(report, node, identity);
}

function sourceOf(node: SyntaxNode): Exclude<ConversionSource, 'auto'> | undefined {
  if (memberOf(node, 'kind') !== undefined) return 'openshift';
  if (memberOf(node, 'variant') !== undefined) return 'butane';
  return memberOf(node, 'ignition') === undefined ? undefined : 'ignition';
}

function convertObject(
  report: ConversionReport,
  node: ObjectNode,
  identity: Identity,
): ObjectNode | undefined {
  const apiVersion = textOf(node, 'apiVersion');
  const kind = textOf(node, 'kind');
  const isOurs = apiVersion === machineConfigurationApiVersion;
  const isGroup = apiVersion === `${openShiftGroup}/v1`;
  if (kind === machineConfigs.kind && (isOurs || isGroup)) {
    if (isGroup && isRendered(node)) return dropRendered(report, node);
    return fromMachineConfig(report, node, identity, isGroup);
  }
  if (kind === machineConfigPools.kind && (isOurs || isGroup)) return fromPool(report, node);
  const isOperator = apiVersion === operatorApiVersion;
  if (kind === machineConfigurations.kind && (isOurs || isOperator)) {
    return fromMachineConfiguration(report, node, isOperator);
  }
  if (apiVersion.startsWith(`${openShiftGroup}/`)) {
    report.dropped(node, { message: `${JSON.stringify(kind)} has no counterpart` });
    return undefined;
  }
  report.refuse(issueCode.convertInput, memberOf(node, 'kind') ?? node, {
    message: `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)} cannot be converted`,
    hint: 'convertible are MachineConfig, MachineConfigPool and MachineConfiguration of OpenShift',
  });
  return undefined;
}

function isRendered(node: ObjectNode): boolean {
  const metadata = memberOf(node, 'metadata');
  const owners = metadata && memberOf(metadata, 'ownerReferences');
  if (owners?.kind !== 'array') return false;
  return owners.items.some((owner) => textOf(owner, 'kind') === machineConfigPools.kind);
}

function dropRendered(report: ConversionReport, node: ObjectNode): undefined {
  report.dropped(node, {
    message: 'a rendered MachineConfig is left out: the operator renders its own',
    hint: 'convert the MachineConfigs that it was rendered from',
  });
}

/** The object as plain JSON; `undefined`, and reported, when it is not valid. */
function judge(report: ConversionReport, converted: ObjectNode): JsonObject | undefined {
  const root = withoutNulls(converted);
  const tree = { root, ...(report.source && { source: report.source }) };
  const { issues, host } = judgeObject(tree);
  report.addValidation(toOrigin(issues, tree));
  if (hasErrors(issues)) return undefined;
  const object = jsonOf(root) as JsonObject;
  const spec = object['spec'];
  if (host === undefined || !isJsonObject(spec) || spec['config'] === undefined) return object;
  return { ...object, spec: { ...(spec as JsonObject), config: encodeIgnition(host.ignition) } };
}
