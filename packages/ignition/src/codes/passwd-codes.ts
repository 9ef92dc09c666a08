import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about users and their SSH keys. */
export const passwdCodes = {
  'user-name-required': {
    severity: 'error',
    rule: 'slipway',
    reason: 'An entry of `passwd.users` names no user, so it says nothing.',
    fix: 'Add `name: boot`.',
  },
  'user-not-allowed': {
    severity: 'error',
    rule: 'slipway',
    reason: 'Only the SSH keys of user boot are managed.',
    fix: 'Move the keys to user boot, or manage the other account with a unit.',
  },
  'user-alias': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      '`user` is no field of Ignition. It is accepted for `name` because published samples use it; other tools ignore it.',
    fix: 'Write `name:`.',
  },
  'ssh-key-invalid': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The text is no line of an authorized_keys file: one line, a known key type and a base64 body, each separated by a space.',
    fix: 'Paste the content of a `.pub` file as one line.',
  },
  'ssh-key-damaged': {
    severity: 'warning',
    rule: 'slipway',
    reason:
      'The body of the key is not a whole key of its type, so sshd will ignore it. Part of it was probably lost.',
    fix: 'Paste the content of the `.pub` file again.',
  },
} as const satisfies Record<string, CatalogueEntry>;
