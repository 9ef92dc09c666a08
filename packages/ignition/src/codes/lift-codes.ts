import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about converting a config of another Ignition version. */
export const liftCodes = {
  'lift-no-counterpart': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'Ignition 2.x can declare this, and Ignition 3.4.0 cannot. It is left out of the converted config.',
    fix: 'Reach the goal with a file or a unit, or leave it to the installation of the host.',
  },
  'lift-duplicate': {
    severity: 'info',
    rule: 'slipway',
    reason:
      'Ignition 2.x lets a config declare a path or name twice, and Ignition 3 does not. The later entry is kept, as it would have won.',
    fix: 'Nothing, if the later entry is the one that is meant.',
  },
  'lift-mode-unset': {
    severity: 'info',
    rule: 'slipway',
    reason:
      'A file without a mode gets mode 0000 from Ignition 2.x and 0644 from Ignition 3. The converted config does not say a mode either, so the file becomes readable.',
    fix: 'Nothing, if the file may be read by everybody; else add the mode that is meant.',
  },
  'lift-newer-feature': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The config uses something that came after Ignition 3.4.0, so no config of 3.4.0 means the same.',
    fix: 'Remove it, and convert again.',
  },
} as const satisfies Record<string, CatalogueEntry>;
