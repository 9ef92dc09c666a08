import type { MachineConfig, MachineConfigPool } from '@slipway/api';
import type { Issue } from '@slipway/base';
import {
  listNames,
  type RenderOutcome,
  renderFailure,
  renderPool,
  selectSources,
} from '@slipway/machineconfig';
import { operatorIssueCode } from '../errors.ts';

/** What is in the cluster beside the object that is judged. */
export type Surroundings = {
  readonly pools: readonly MachineConfigPool[];
  readonly machineConfigs: readonly MachineConfig[];
};

function warning(code: string, path: string, message: string): Issue {
  return { code, severity: 'warning', path, message };
}

function outcomeIssues(name: string, pool: string, outcome: RenderOutcome): readonly Issue[] {
  if (outcome.kind === 'refused') {
    const { message } = renderFailure(outcome.findings);
    const consequence = `pool ${pool} cannot be rendered with it and keeps what it has`;
    return [warning(operatorIssueCode.notRenderable, 'spec', `${consequence}: ${message}`)];
  }
  const won = outcome.rendered.overrides.filter(({ winner }) => winner.source === name);
  const lost = outcome.rendered.overrides.filter(({ overridden }) => overridden.source === name);
  const issues: Issue[] = [];
  if (won.length > 0) {
    const values = won.map(({ keyPath, overridden }) => `${keyPath} of ${overridden.source}`);
    const message = `in pool ${pool} it overrides ${listNames(values, 5)}`;
    issues.push(warning(operatorIssueCode.overrides, 'spec.config', message));
  }
  if (lost.length > 0) {
    const values = lost.map(({ keyPath, winner }) => `${keyPath} by ${winner.source}`);
    const message = `in pool ${pool} it is overridden: ${listNames(values, 5)}`;
    issues.push(warning(operatorIssueCode.overridden, 'spec.config', message));
  }
  return issues;
}

/**
 * What a MachineConfig that is valid by itself does to the pools that select it: they may not be renderable
 * with it, or values override each other. Warnings only: whoever puts several MachineConfigs right one after
 * the other must not be stopped in between; a pool that cannot be rendered keeps its target.
 */
export function previewIssues(
  config: MachineConfig,
  { pools, machineConfigs }: Surroundings,
): readonly Issue[] {
  const name = config.metadata?.name ?? '';
  const others = machineConfigs.filter(({ metadata }) => metadata?.name !== name);
  return pools.flatMap((pool) => {
    if (selectSources(pool, [config]).length === 0) return [];
    return outcomeIssues(name, pool.metadata?.name ?? '', renderPool(pool, [...others, config]));
  });
}
