import { formatIssue, type Issue, UserError } from '@slipway/base';
import { defaultTokenGroup } from '@slipway/pki';
import type { BootstrapTokenEntry } from '../config/configuration.ts';
import { formatPath } from '../config/document/source-node.ts';
import { parseDuration } from '../config/duration.ts';
import { validateTokens } from '../config/validate/validate-tokens.ts';
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

/**
 * Everything that is wrong with a token that is to be created; the rules are those of `bootstrapTokens`
 * in a configuration file. An empty `token` is a random one and is not judged. Never repeats the token.
 */
export function checkTokenEntry(entry: BootstrapTokenEntry): readonly Issue[] {
  const { ttl, ...endless } = entry;
  const isDuration = ttl === undefined || parseDuration(ttl) !== undefined;
  const findings = validateTokens([isDuration ? entry : endless]);
  return [
    ...findings.map(({ path, ...finding }) => ({ ...finding, path: formatPath(path.slice(2)) })),
    ...(isDuration ? [] : [issue('ttl', 'is not a duration such as 24h0m0s; 0 means for ever')]),
    ...checkTime(entry.expires),
  ];
}

/** Throws one UserError with all that `checkTokenEntry` finds. */
export function requireTokenEntry(entry: BootstrapTokenEntry): void {
  const issues = checkTokenEntry(entry);
  if (issues.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.token.invalid';
  throw new UserError(`create bootstrap token: ${issues.map(formatIssue).join('; ')}`, { code });
}

function checkTime(expires: string | undefined): readonly Issue[] {
  if (expires === undefined || !Number.isNaN(Date.parse(expires))) return [];
  return [issue('expires', 'is not an RFC 3339 time')];
}

function issue(path: string, message: string): Issue {
  const code: BootstrapErrorCode = 'bootstrap.token.invalid';
  return { code, severity: 'error', path, message };
}
