import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about files: paths, modes and owners. */
export const storageCodes = {
  'path-empty': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A file needs a path.',
    fix: 'Add `path:` with an absolute path.',
  },
  'path-relative': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A path must be absolute: there is no directory that it could be relative to.',
    fix: 'Begin the path with `/`.',
  },
  'path-unclean': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'A path must be in its simplest form, so that one file has one name: no `//`, no `.` or `..` component, no trailing `/`.',
    fix: 'Write the simplified path.',
  },
  'path-root': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The path is the root directory, which is no file.',
    fix: 'Give the path of a file.',
  },
  'path-too-long': {
    severity: 'error',
    rule: 'slipway',
    reason: 'Linux allows 255 bytes for each name in a path and 4095 for the path.',
    fix: 'Shorten the path.',
  },
  'path-control-character': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The path contains a control character such as a line break; that is nearly always a slip, and no tool shows such a path reliably.',
    fix: 'Remove the character. In YAML, use a plain or quoted value instead of a block (`|`).',
  },
  'path-under-file': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The path lies below another path of the config that is a file, and a file has no children.',
    fix: 'Change one of the two paths.',
  },
  'path-conflicts-unit': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The path belongs to a systemd unit, a drop-in or a mask of the same config, so two declarations would write one file.',
    fix: 'Declare the unit under `systemd.units` only.',
  },
  'path-conflicts-ssh-keys': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The file of authorized keys is written from `passwd.users`, so two declarations would write one file.',
    fix: 'Declare the keys under `passwd.users` only.',
  },
  'path-force-file': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The path is the signal that makes the daemon reapply everything and reboot. As a managed file it would do so for ever.',
    fix: 'Create the file by hand on the host where it is needed.',
  },
  'path-not-writable': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The path lies in a file system of the kernel, which keeps no files.',
    fix: 'Set kernel values with a file in /etc/sysctl.d or a unit instead.',
  },
  'path-in-root': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'The file lies directly in the root directory, which is read-only on image-based hosts; the daemon refuses it there.',
    fix: 'Put the file under /etc, /usr/local or /var.',
  },
  'path-volatile': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'The path lies in a directory that is emptied at each boot: the file is gone after a reboot, which is then reported as drift.',
    fix: 'Put the file under /etc or /var, or create it at boot with a file in /etc/tmpfiles.d.',
  },
  'mode-out-of-range': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A mode is between 0 and 0777 octal, which is 511 decimal.',
    fix: 'Give the permission bits only, for example 420 (0644) or 493 (0755).',
  },
  'mode-special-bits': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The mode has bits above 0777: setuid, setgid or sticky, which do not work in Ignition 3.4.0. Often the digits were octal and were read as decimal.',
    fix: 'Write 420 for 0644 and 493 for 0755; in YAML, 0644 is octal as well.',
  },
  'mode-looks-decimal': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'The digits look like an octal mode but are read as a decimal number, which gives unusual permissions.',
    fix: 'In YAML, write the mode with a leading zero; in JSON, write its decimal value.',
  },
  'overwrite-without-source': {
    severity: 'error',
    rule: 'ignition',
    reason: '`overwrite: true` replaces a file by its contents, and none are declared.',
    fix: 'Add `contents.source` (an empty text means an empty file), or remove `overwrite`.',
  },
  'id-and-name': {
    severity: 'error',
    rule: 'ignition',
    reason: 'An owner is given both by number and by name, and they could differ.',
    fix: 'Keep one of the two.',
  },
  'id-out-of-range': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'A user or group number is between 0 and 4294967294; the highest value means "no one" to the kernel.',
    fix: 'Correct the number.',
  },
  'owner-name': {
    severity: 'error',
    rule: 'slipway',
    reason: 'A user or group name has a character that no account can have.',
    fix: 'Correct the name; a number goes in `id:`.',
  },
} as const satisfies Record<string, CatalogueEntry>;
