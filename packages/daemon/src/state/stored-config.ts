import type { MachineConfig } from '@slipway/api';
import type { StateFiles } from './state-files.ts';

/** The part of a rendered MachineConfig that the host keeps, to compare with and to go back to. */
export type StoredConfig = { readonly name: string; readonly spec: MachineConfig['spec'] };

/** `current`: what the host has. `previous`, `target`: of the update in progress. */
export type ConfigSlot = 'current' | 'update/previous' | 'update/target';

export function readStoredConfig(
  files: StateFiles,
  slot: ConfigSlot,
): Promise<StoredConfig | undefined> {
  return files.readJson<StoredConfig>(`${slot}.json`);
}

export function writeStoredConfig(
  files: StateFiles,
  slot: ConfigSlot,
  config: StoredConfig,
): Promise<void> {
  return files.writeJson(`${slot}.json`, config);
}

export function removeStoredConfig(files: StateFiles, slot: ConfigSlot): Promise<void> {
  return files.remove(`${slot}.json`);
}
