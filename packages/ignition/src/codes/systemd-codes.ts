import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about systemd units and drop-ins. */
export const systemdCodes = {
  'unit-extension': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The name has no extension that systemd knows: service, socket, device, mount, automount, swap, target, path, timer, snapshot, slice or scope.',
    fix: 'Correct the extension, for example `.service`.',
  },
  'unit-name': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'systemd takes no unit of this name. A name has 1 to 255 letters, digits and `:-_.\\@`, with something before the extension.',
    fix: 'Correct the name; unusual characters are written as `systemd-escape` does.',
  },
  'dropin-extension': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The name of a drop-in ends in `.conf`; systemd ignores others.',
    fix: 'Add the extension.',
  },
  'dropin-name': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The name of a drop-in is no file name.',
    fix: 'Use letters, digits, `-`, `_` and `.`, for example `10-limits.conf`.',
  },
  'unit-section-unclosed': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A section header has no closing bracket.',
    fix: 'Add the `]`.',
  },
  'unit-section-garbage': {
    severity: 'error',
    rule: 'ignition',
    reason: 'Something follows a section header on its line.',
    fix: 'Move it to the next line.',
  },
  'unit-section-name': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The name of a section is empty or contains a character that it cannot contain, such as a line break.',
    fix: 'Correct the header, for example `[Service]`.',
  },
  'unit-option-newline': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'A line within a section has no `=`. After a `\\` that is followed by a space or a carriage return, the next line does not continue the last one.',
    fix: 'Write `Name=value`; end a line that goes on with `\\` and nothing else.',
  },
  'unit-option-eof': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The text ends within the name of an option.',
    fix: 'Complete the line: `Name=value`.',
  },
  'unit-option-name': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The name of an option is empty or contains a space, which systemd ignores with a warning.',
    fix: 'Correct the name.',
  },
  'unit-line-too-long': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A line of the unit has 2048 bytes or more, which the readers of Ignition refuse.',
    fix: 'Break the line with `\\`, or move the text to a file.',
  },
  'unit-control-character': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The text contains a control character other than tab and line break.',
    fix: 'Remove the character.',
  },
  'unit-no-section': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The text has no section, so systemd ignores all of it.',
    fix: 'Begin with a section header such as `[Unit]` or `[Service]`.',
  },
  'unit-text-before-section': {
    severity: 'error',
    rule: 'slipway',
    reason: 'There is text before the first section header, and systemd ignores it.',
    fix: 'Move it below its section header.',
  },
  'unit-comment-backslash': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'A comment ends in a backslash. systemd takes the next line as an option; readers of Ignition take it as part of the comment.',
    fix: 'Remove the backslash.',
  },
  'unit-no-install': {
    severity: 'warning',
    rule: 'ignition',
    reason:
      'The unit is enabled but its text has no option in an `[Install]` section, so enabling it does nothing.',
    fix: 'Add an `[Install]` section with `WantedBy=multi-user.target`, or remove `enabled`.',
  },
  'template-no-install': {
    severity: 'warning',
    rule: 'ignition',
    reason:
      'An instance is enabled, and its template in the same config has no `[Install]` section, so enabling it does nothing.',
    fix: 'Add an `[Install]` section to the template.',
  },
  'enabled-and-masked': {
    severity: 'warning',
    rule: 'slipway',
    reason: 'A masked unit cannot be started, so enabling it has no effect.',
    fix: 'Keep one of the two.',
  },
  'masked-with-contents': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'A masked unit is a link to /dev/null in the place of its text, so the text has no effect.',
    fix: 'Keep one of the two.',
  },
} as const satisfies Record<string, CatalogueEntry>;
