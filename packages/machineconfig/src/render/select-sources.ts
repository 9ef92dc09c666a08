import {
  type MachineConfig,
  type MachineConfigPool,
  machineConfigPools,
  roleLabel,
  workerPoolName,
} from '@slipway/api';
import { compareBytes } from '@slipway/base';
import { matchesSelector } from '../label-selector.ts';

function isWorkerRole(config: MachineConfig): boolean {
  return config.metadata?.labels?.[roleLabel] === workerPoolName;
}

function isRendered(config: MachineConfig): boolean {
  return (config.metadata?.ownerReferences ?? []).some(
    ({ kind, controller }) => kind === machineConfigPools.kind && controller === true,
  );
}

function byName(a: MachineConfig, b: MachineConfig): number {
  return compareBytes(a.metadata?.name ?? '', b.metadata?.name ?? '');
}

/**
 * The MachineConfigs that a pool merges, in merge order: those of role worker first, then the others,
 * each by name in byte order. Whatever a custom role says wins over worker, whatever the names.
 */
export function selectSources(
  pool: MachineConfigPool,
  configs: readonly MachineConfig[],
): readonly MachineConfig[] {
  const selected = configs.filter(
    (config) =>
      config.metadata?.deletionTimestamp === undefined &&
      !isRendered(config) &&
      matchesSelector(pool.spec?.machineConfigSelector, config.metadata?.labels),
  );
  const worker = selected.filter(isWorkerRole).sort(byName);
  const others = selected.filter((config) => !isWorkerRole(config)).sort(byName);
  return [...worker, ...others];
}
