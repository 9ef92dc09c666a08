import type { MachineConfig } from '@slipway/api';
import { compareBytes } from '@slipway/base';

/** So many rendered MachineConfigs of a pool are kept beside those in use. */
export const keptRenderings = 10;

function byAge(a: MachineConfig, b: MachineConfig): number {
  return (
    compareBytes(b.metadata?.creationTimestamp ?? '', a.metadata?.creationTimestamp ?? '') ||
    compareBytes(a.metadata?.name ?? '', b.metadata?.name ?? '')
  );
}

/** Rendered MachineConfigs of one pool that may go: not in use, and not among the last ten. */
export function renderedGarbage(
  rendered: readonly MachineConfig[],
  isInUse: (name: string) => boolean,
): readonly MachineConfig[] {
  return [...rendered]
    .sort(byAge)
    .slice(keptRenderings)
    .filter((config) => !isInUse(config.metadata?.name ?? ''));
}
