import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about a document as a whole: syntax, keys, versions and lists. */
export const documentCodes = {
  'config-empty': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The document has no content at all, so it declares no Ignition version.',
    fix: 'Write at least `ignition: {version: 3.4.0}`, or remove the document.',
  },
  'json-syntax': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The text is not JSON. JSON has no comments, no trailing commas, no leading zeros and no byte order mark.',
    fix: 'Correct the text at the given place, or write the file as YAML.',
  },
  'yaml-syntax': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The text is not YAML.',
    fix: 'Correct the text at the given place. Indent with spaces, and quote values that contain `: ` or begin with a special character.',
  },
  'json-type': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'A value has another type than its field takes. Types are never converted: the text "true" is not the boolean true.',
    fix: 'Write a value of the type that the message names.',
  },
  'too-deep': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The document is nested deeper than any Ignition config can be.',
    fix: 'Remove the nesting.',
  },
  'duplicate-key': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'A key appears twice in one object. Readers keep one of the two, and not all keep the same one.',
    fix: 'Keep one of them; join their contents where both are needed.',
  },
  'unknown-field': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The key is no field of Ignition 3.4.0. Other readers ignore it silently, so what it was meant to do would never happen. Keys are case-sensitive.',
    fix: 'Correct the spelling, or remove the key.',
  },
  'unsupported-field': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The field is part of Ignition 3.4.0, but a MachineConfig cannot declare it: supported are files, systemd units and the SSH keys of user boot.',
    fix: 'Remove the field, or reach the goal with a file or a unit.',
  },
  'version-unsupported': {
    severity: 'error',
    rule: 'ignition',
    reason:
      '`ignition.version` is not exactly 3.4.0. The version decides what the other fields mean, so it is neither guessed nor rounded.',
    fix: 'Write `version: 3.4.0`; convert an older config with `slipway machine-config convert`.',
  },
  'version-unparsable': {
    severity: 'error',
    rule: 'ignition',
    reason:
      '`ignition.version` is missing or not of the form MAJOR.MINOR.PATCH, so the config cannot be converted.',
    fix: 'Write the version that the config was written for, for example `version: 3.2.0`.',
  },
  'duplicate-entry': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'Two entries of a list have the same key (path, name, or the whole text), and only one of them could take effect.',
    fix: 'Keep one of them.',
  },
  'karg-empty': {
    severity: 'error',
    rule: 'slipway',
    reason: 'An empty text is no kernel argument.',
    fix: 'Remove the entry; kernel arguments belong in `spec.kernelArguments`.',
  },
  'karg-control-character': {
    severity: 'error',
    rule: 'slipway',
    reason: 'A kernel argument contains a control character, which a boot loader cannot pass on.',
    fix: 'Remove the character; kernel arguments belong in `spec.kernelArguments`.',
  },
} as const satisfies Record<string, CatalogueEntry>;
