/**
 * Every reason for which this room degrades a node or gives up, by its stable code. Each has a page
 * `docs/runbook/<code>.md`; a test holds the two together.
 */
export const daemonErrors = {
  'daemon.configuration-invalid': 'the rendered configuration cannot be read',
  'daemon.configuration-not-found': 'the desired rendered configuration does not exist',
  'daemon.policy-not-observed': 'the operator has not processed the MachineConfiguration in time',
  'daemon.irreconcilable': 'the change cannot be made on a running host',
  'daemon.no-boot-loader': 'kernel arguments: no boot loader found',
  'daemon.unknown-owner': 'a file is declared for a user or group that the host does not have',
  'daemon.ssh-user-missing': 'SSH keys are declared and the host has no user `boot`',
  'daemon.not-writable': 'a declared path lies in a directory that cannot be written',
  'daemon.no-space': 'a file system has no room for the declared files',
  'daemon.path-occupied': 'a directory or special file is where a file is declared',
  'daemon.unit-cannot-reload': 'the policy reloads a service that has no reload',
  'daemon.action-failed': 'a service action failed',
  'daemon.unit-links-failed': 'enabling, disabling or presetting a unit failed',
  'daemon.write-failed': 'the host refused a write',
  'daemon.verify-failed': 'the host does not show what was just written',
  'daemon.reboot-failed': 'the host refused to reboot',
  'daemon.reboot-loop': 'three reboots for the same configuration within 30 minutes',
  'daemon.config-drift': 'the host differs from its configuration',
  'daemon.host-unreadable': 'the host cannot be looked at',
  'daemon.state-unreadable': "the daemon's own records on the host cannot be read",
} as const;

/** A code of the catalogue. */
export type DaemonErrorCode = keyof typeof daemonErrors;

/** A first cause, as it is journaled and shown. */
export type Failure = { readonly code: string; readonly message: string };
