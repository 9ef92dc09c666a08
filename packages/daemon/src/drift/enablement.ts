const notEnabled = new Set([
  '',
  'disabled',
  'masked',
  'masked-runtime',
  'not-found',
  'bad',
  'linked',
]);
const enabled = new Set(['enabled', 'enabled-runtime']);

/**
 * True when `unitFileState` (systemd's word) satisfies the declared enablement. A unit without
 * [Install] is `static`: nothing can enable it, so it satisfies both.
 */
export function enablementMatches(declared: boolean, unitFileState: string): boolean {
  return declared ? !notEnabled.has(unitFileState) : !enabled.has(unitFileState);
}

/** True when the unit has enablement links. */
export function isEnabled(unitFileState: string): boolean {
  return enabled.has(unitFileState);
}
