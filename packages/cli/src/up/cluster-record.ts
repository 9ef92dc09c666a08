import { UserError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';
import type { ClusterRecord, UpFlags } from './settings.ts';

/**
 * What the cluster shall be: what it was, changed by the flags. More hosts join; fewer are refused with
 * a UserError, because taking a host away means losing what is on it.
 */
export function mergeRecord(stored: ClusterRecord | undefined, flags: UpFlags): ClusterRecord {
  const before = stored ?? { nodes: 0, controlPlanes: 0 };
  const wanted: ClusterRecord = {
    formatVersion: 1,
    nodes: flags.nodes ?? stored?.nodes ?? 3,
    controlPlanes: flags.controlPlanes ?? stored?.controlPlanes ?? 1,
    hosts: flags.hosts ?? stored?.hosts ?? 'simulated',
    ...(stored?.port === undefined ? {} : { port: stored.port }),
  };
  refuseFewer('--nodes', wanted.nodes, before.nodes);
  refuseFewer('--control-planes', wanted.controlPlanes, before.controlPlanes);
  if (stored !== undefined && stored.hosts !== wanted.hosts) {
    const code: CliErrorCode = 'cli.up.other-hosts';
    throw new UserError(
      `start cluster: --hosts ${wanted.hosts}, but the data directory has ${stored.hosts} hosts`,
      { code },
    );
  }
  return wanted;
}

function refuseFewer(flag: string, wanted: number, before: number): void {
  if (wanted >= before) return;
  const code: CliErrorCode = 'cli.up.fewer-hosts';
  throw new UserError(`start cluster: ${flag} ${wanted}, but the data directory has ${before}`, {
    code,
  });
}
