import {
  type DisruptionAction,
  type MachineConfiguration,
  machineConfigurationName,
  type NodeDisruptionPolicy,
} from '@slipway/api';
import type { Issue } from '@slipway/base';
import { issueCode } from '../errors.ts';
import { policyKey } from './policy.ts';

const unitSuffix =
  /\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$/;
const unitPrefix = /^[a-zA-Z0-9:._@\\-]+\../;
const policyRoot = 'spec.nodeDisruptionPolicy';

function error(code: string, path: string, message: string): Issue {
  return { code, severity: 'error', path, message };
}

function unitNameIssues(name: string, path: string): readonly Issue[] {
  const valid = unitSuffix.test(name) && unitPrefix.test(name) && name.length <= 255;
  const message = `${JSON.stringify(name)} is not the full name of a systemd unit`;
  return valid ? [] : [error(issueCode.policyNameInvalid, path, message)];
}

function actionIssues(action: DisruptionAction, path: string): readonly Issue[] {
  // Objects that bypassed the schema may say anything: read them as such.
  const loose: {
    readonly type?: string;
    readonly reload?: { readonly serviceName?: string };
    readonly restart?: { readonly serviceName?: string };
  } = action;
  const issues: Issue[] = [];
  for (const [field, type] of [
    ['reload', 'Reload'],
    ['restart', 'Restart'],
  ] as const) {
    const target = loose[field];
    if ((loose.type === type) !== (target !== undefined))
      issues.push(
        error(
          issueCode.policyActionInvalid,
          path,
          `${field} goes with type ${type}, and only with it`,
        ),
      );
    if (target !== undefined)
      issues.push(...unitNameIssues(target.serviceName ?? '', `${path}.${field}.serviceName`));
  }
  return issues;
}

const maxActions = 10;

function actionListIssues(
  actions: readonly DisruptionAction[] | undefined,
  path: string,
): readonly Issue[] {
  const list = actions ?? [];
  const issues = list.flatMap((action, index) => actionIssues(action, `${path}[${index}]`));
  for (const type of ['Reboot', 'None'])
    if (list.length > 1 && list.some((action) => action.type === type))
      issues.push(
        error(issueCode.policyActionInvalid, path, `action ${type} must be the only one`),
      );
  if (list.length > maxActions)
    issues.push(error(issueCode.policyTooMany, path, `more than ${maxActions} actions`));
  return issues;
}

function pathIssues(path: string, at: string): readonly Issue[] {
  const clean = path.startsWith('/') && !/\/\/|\/\.\.?(\/|$)/.test(path);
  if (clean) return [];
  const message = `${JSON.stringify(path)} is not an absolute, clean path: it matches no file`;
  return [{ code: issueCode.policyPathInvalid, severity: 'warning', path: at, message }];
}

function duplicateIssues(keys: readonly string[], at: string): readonly Issue[] {
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = `a second policy for ${key}: the last one counts`;
    return [
      { code: issueCode.policyDuplicate, severity: 'warning', path: `${at}[${index}]`, message },
    ];
  });
}

function policyIssues(policy: NodeDisruptionPolicy): readonly Issue[] {
  const files = policy.files ?? [];
  const units = policy.units ?? [];
  return [
    ...files.flatMap((entry, index) => [
      ...pathIssues(entry.path, `${policyRoot}.files[${index}].path`),
      ...actionListIssues(entry.actions, `${policyRoot}.files[${index}].actions`),
    ]),
    ...duplicateIssues(
      files.map(({ path }) => policyKey(path)),
      `${policyRoot}.files`,
    ),
    ...units.flatMap((entry, index) => [
      ...unitNameIssues(entry.name, `${policyRoot}.units[${index}].name`),
      ...actionListIssues(entry.actions, `${policyRoot}.units[${index}].actions`),
    ]),
    ...duplicateIssues(
      units.map(({ name }) => name),
      `${policyRoot}.units`,
    ),
    ...actionListIssues(policy.sshkey?.actions, `${policyRoot}.sshkey.actions`),
  ];
}

/** Everything that is wrong with a disruption policy, or useless in it. */
export function machineConfigurationIssues(configuration: MachineConfiguration): readonly Issue[] {
  const issues: Issue[] = [];
  const name = configuration.metadata?.name;
  if (name !== machineConfigurationName)
    issues.push(
      error(
        issueCode.policySingleton,
        'metadata.name',
        `the only MachineConfiguration is named ${machineConfigurationName}, not ${JSON.stringify(name)}`,
      ),
    );
  const defaults = configuration.spec?.defaultNodeDisruptionPolicySpecAction;
  for (const subject of ['files', 'units'] as const)
    issues.push(
      ...actionListIssues(
        defaults?.[subject],
        `spec.defaultNodeDisruptionPolicySpecAction.${subject}`,
      ),
    );
  return [...issues, ...policyIssues(configuration.spec?.nodeDisruptionPolicy ?? {})];
}
