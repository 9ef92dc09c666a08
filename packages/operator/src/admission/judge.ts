import {
  type KubeObject,
  type MachineConfig,
  type MachineConfigNode,
  type MachineConfigPool,
  type MachineConfiguration,
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  machineConfigurations,
} from '@slipway/api';
import { hasErrors, type Issue } from '@slipway/base';
import { treeFromJson } from '@slipway/ignition';
import {
  type DisruptionPolicy,
  inertIssues,
  machineConfigurationIssues,
  poolIssues,
  readMachineConfig,
} from '@slipway/machineconfig';
import { operatorIssueCode } from '../errors.ts';
import { previewIssues, type Surroundings } from './preview.ts';
import type { AdmissionRequest } from './review.ts';

const nodeUserPrefix = 'system:node:';

/** What objects are judged against. */
export type JudgeContext = Surroundings & { readonly policy: DisruptionPolicy };

function judgeMachineConfig(object: MachineConfig, context: JudgeContext): readonly Issue[] {
  const { host, issues } = readMachineConfig(treeFromJson(withoutServerFields(object)));
  const rendered = (object.metadata?.ownerReferences ?? []).some(
    ({ kind }) => kind === machineConfigPools.kind,
  );
  if (host === undefined || rendered) return issues;
  return [...issues, ...inertIssues(host, context.policy), ...previewIssues(object, context)];
}

/** What a server may put beside the declared fields is not the user's fault. */
function withoutServerFields({ apiVersion, kind, metadata, spec }: MachineConfig): object {
  return { apiVersion, kind, metadata, spec };
}

/** A node's daemon writes the MachineConfigNode of its own name and no other. */
function judgeNodeWrite(object: MachineConfigNode, user: string): readonly Issue[] {
  if (!user.startsWith(nodeUserPrefix)) return [];
  const own = user.slice(nodeUserPrefix.length);
  const name = object.metadata?.name;
  if (name === own) return [];
  return [
    {
      code: operatorIssueCode.foreignNode,
      severity: 'error',
      path: 'metadata.name',
      message: `node ${own} may not write the MachineConfigNode of ${name ?? 'another node'}`,
    },
  ];
}

function judgeObject(
  request: AdmissionRequest,
  object: KubeObject,
  context: JudgeContext,
): readonly Issue[] {
  switch (request.resource) {
    case machineConfigs.plural:
      return judgeMachineConfig(object as MachineConfig, context);
    case machineConfigPools.plural:
      return poolIssues(object as MachineConfigPool);
    case machineConfigurations.plural:
      return machineConfigurationIssues(object as MachineConfiguration);
    case machineConfigNodes.plural:
      return judgeNodeWrite(object as MachineConfigNode, request.user);
    default:
      return [];
  }
}

function identityOf({ code, path, message }: Issue): string {
  return `${code} ${path} ${message}`;
}

/**
 * Findings about an object of our group that somebody wants to write. Errors that the object had before are
 * warnings: whoever changes something else, as the operator does, is not to be stopped by them.
 */
export function judge(request: AdmissionRequest, context: JudgeContext): readonly Issue[] {
  const { object, oldObject } = request;
  if (object === undefined) return [];
  const issues = judgeObject(request, object, context);
  const isNodeWrite = request.resource === machineConfigNodes.plural;
  if (oldObject === undefined || isNodeWrite || !hasErrors(issues)) return issues;
  const known = new Set(judgeObject(request, oldObject, context).map(identityOf));
  return issues.map((issue) =>
    known.has(identityOf(issue)) ? { ...issue, severity: 'warning' as const } : issue,
  );
}
