import { formatIssue, type Issue, UserError } from '@slipway/base';
import { defaultTokenGroup } from '@slipway/pki';
import type { BootstrapTokenEntry } from '../config/configuration.ts';
import { parseDuration } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';

/** What a token may be used for; the order is that of kubeadm's default. */
export const tokenUsages = ['signing', 'authentication'] as const;

/** How long a token is good for when nothing is said: 24 hours, as kubeadm. */
const defaultTokenTtl = '24h0m0s';

/** A token when nothing is said: random, for a day, for everything, in the group that kubeadm's roles are for. */
export const defaultTokenEntry: BootstrapTokenEntry = {
  token: '',
  ttl: defaultTokenTtl,
  usages: tokenUsages,
  groups: [defaultTokenGroup],
};

const tokenForm = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Everything that is wrong with a token that is to be created: form, usages, groups, and `ttl` and
 * `expires` together. An empty `token` is a random one and is not judged. Never repeats the token.
 */
export function checkTokenEntry(entry: BootstrapTokenEntry, path = ''): readonly Issue[] {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  return [
    ...checkForm(entry.token, at('token')),
    ...checkUsages(entry.usages, at('usages')),
    ...checkGroups(entry, at('groups')),
    ...checkExpiry(entry, at('expires')),
  ];
}

/** Throws one UserError with all that `checkTokenEntry` finds. */
export function requireTokenEntry(entry: BootstrapTokenEntry): void {
  const issues = checkTokenEntry(entry);
  if (issues.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.token.invalid';
  throw new UserError(`create bootstrap token: ${issues.map(formatIssue).join('; ')}`, { code });
}

function issue(path: string, message: string, hint?: string): Issue {
  const code: BootstrapErrorCode = 'bootstrap.token.invalid';
  return { code, severity: 'error', path, message, ...(hint === undefined ? {} : { hint }) };
}

function checkForm(token: string, path: string): readonly Issue[] {
  if (token === '' || tokenForm.test(token)) return [];
  return [issue(path, 'must be of the form [a-z0-9]{6}.[a-z0-9]{16}', '`slipway token generate`')];
}

function checkUsages(usages: readonly string[], path: string): readonly Issue[] {
  const known: readonly string[] = tokenUsages;
  return usages
    .filter((usage) => !known.includes(usage))
    .map((usage) => issue(path, `${JSON.stringify(usage)} is not one of ${known.join(', ')}`));
}

function checkGroups({ groups, usages }: BootstrapTokenEntry, path: string): readonly Issue[] {
  const bad = groups
    .filter((group) => !groupForm.test(group))
    .map((group) => issue(path, `${JSON.stringify(group)} does not match ${groupForm.source}`));
  if (groups.length === 0 || usages.includes('authentication')) return bad;
  return [issue(path, 'only a token with usage authentication has groups'), ...bad];
}

function checkExpiry({ ttl, expires }: BootstrapTokenEntry, path: string): readonly Issue[] {
  if (expires === undefined) return checkTtl(ttl, path.replace(/expires$/, 'ttl'));
  if (ttl !== undefined) return [issue(path, 'give either ttl or expires, not both')];
  return Number.isNaN(Date.parse(expires)) ? [issue(path, 'is not an RFC 3339 time')] : [];
}

function checkTtl(ttl: string | undefined, path: string): readonly Issue[] {
  const ms = ttl === undefined ? 0 : parseDuration(ttl);
  if (ms !== undefined && ms >= 0) return [];
  return [
    issue(path, `${JSON.stringify(ttl)} is not a duration such as 24h0m0s; 0 means for ever`),
  ];
}
