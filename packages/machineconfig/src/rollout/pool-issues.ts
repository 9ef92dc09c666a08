import {
  type LabelSelector,
  type MachineConfigPool,
  roleLabel,
  workerPoolName,
} from '@slipway/api';
import type { Issue } from '@slipway/base';
import { issueCode } from '../errors.ts';
import { isEmptySelector, selectorIssues } from '../label-selector.ts';
import { resolveMaxUnavailable } from './max-unavailable.ts';
import { isCustomPool } from './membership.ts';

/** True when a MachineConfig with role worker and no other label could be selected. */
function selectsWorker(selector: LabelSelector | undefined): boolean {
  const exact = selector?.matchLabels?.[roleLabel];
  if (exact !== undefined) return exact === workerPoolName;
  return (selector?.matchExpressions ?? []).some(
    ({ key, operator, values }) =>
      key === roleLabel && operator === 'In' && values?.includes(workerPoolName) === true,
  );
}

/** Everything that is wrong with what a pool declares. */
export function poolIssues(pool: MachineConfigPool): readonly Issue[] {
  const path = 'spec.machineConfigSelector';
  const selector = pool.spec?.machineConfigSelector;
  const issues = [
    ...selectorIssues(selector, path),
    ...selectorIssues(pool.spec?.nodeSelector, 'spec.nodeSelector'),
  ];
  if (isCustomPool(pool) && !isEmptySelector(selector) && !selectsWorker(selector))
    issues.push({
      code: issueCode.poolRoleMissing,
      severity: 'error',
      path,
      message: `a pool other than master and worker must also select MachineConfigs with label ${roleLabel}: worker`,
      hint: `matchExpressions: [{key: ${roleLabel}, operator: In, values: [worker, ${pool.metadata?.name ?? 'NAME'}]}]`,
    });
  const { issue } = resolveMaxUnavailable(pool.spec?.maxUnavailable, 1);
  return issue === undefined ? issues : [...issues, issue];
}
