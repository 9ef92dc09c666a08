import { terminal } from '../errors.ts';
import type { UnitStatus } from '../host.ts';

/** The properties that `systemctl show` is asked for. */
export const statusProperties = [
  'LoadState',
  'ActiveState',
  'SubState',
  'InvocationID',
  'NeedDaemonReload',
  'CanReload',
] as const;

/** `KEY=value` lines of `systemctl show`; a value may hold further equals signs. */
export function parseProperties(output: string): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const line of output.split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) properties.set(line.slice(0, at), line.slice(at + 1));
  }
  return properties;
}

/**
 * Reads the answer of `systemctl show`. `unitFileState` comes from `is-enabled`, which looks at the
 * disk: the manager keeps the state it saw at its last reload.
 * @throws TerminalError `host.systemd.unreadable`
 */
export function parseStatus(unit: string, output: string, unitFileState: string): UnitStatus {
  const properties = parseProperties(output);
  function need(name: (typeof statusProperties)[number]): string {
    const value = properties.get(name);
    if (value !== undefined) return value;
    throw terminal('host.systemd.unreadable', `read status of ${unit}: no ${name} in the answer`);
  }
  return {
    loadState: need('LoadState'),
    activeState: need('ActiveState'),
    subState: need('SubState'),
    unitFileState,
    invocationId: need('InvocationID'),
    needDaemonReload: need('NeedDaemonReload') === 'yes',
    canReload: need('CanReload') === 'yes',
  };
}

/** The word that `systemctl is-enabled` printed; empty when there is no unit file. */
export function parseUnitFileState(stdout: string): string {
  const word = stdout.trim().split('\n')[0] ?? '';
  return word === 'not-found' ? '' : word;
}
