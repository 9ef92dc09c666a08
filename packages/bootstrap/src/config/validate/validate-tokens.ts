import type { BootstrapTokenEntry } from '../configuration.ts';
import type { Path } from '../document/source-node.ts';
import { parseDuration } from '../duration.ts';
import type { Finding } from '../finding.ts';
import { none, quote, refuse } from './rules.ts';

const usages = ['signing', 'authentication'];
const group = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const form = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

/** Rules for bootstrapTokens (ValidateBootstrapTokens). The values of tokens are secret and not repeated. */
export function validateTokens(tokens: readonly BootstrapTokenEntry[]): readonly Finding[] {
  const ids = tokens.map(({ token }) => token.split('.')[0]);
  return tokens.flatMap((token, index) => {
    const path = ['bootstrapTokens', index];
    const isSecond = token.token !== '' && ids.indexOf(ids[index]) !== index;
    return [
      ...(token.token === '' ? none : checkToken(token.token, [...path, 'token'])),
      ...(isSecond
        ? refuse('bootstrap.config.exclusive', [...path, 'token'], 'another token has the same id')
        : none),
      ...usageFindings(token, path),
      ...groupFindings(token, path),
      ...lifeFindings(token, path),
    ];
  });
}

export function checkToken(token: string, path: Path): readonly Finding[] {
  if (form.test(token)) return none;
  const message = 'the token is not of the form [a-z0-9]{6}.[a-z0-9]{16}';
  return refuse('bootstrap.config.token', path, message, 'make one with `slipway token generate`');
}

function usageFindings(token: BootstrapTokenEntry, path: Path): readonly Finding[] {
  return token.usages.flatMap((usage, index) => {
    if (usages.includes(usage)) return none;
    const message = `${quote(usage)} is not one of ${usages.join(', ')}`;
    return refuse('bootstrap.config.token-usage', [...path, 'usages', index], message);
  });
}

function groupFindings(
  { groups, usages: given }: BootstrapTokenEntry,
  path: Path,
): readonly Finding[] {
  const useless =
    groups.length > 0 && !given.includes('authentication')
      ? refuse(
          'bootstrap.config.token-group',
          [...path, 'groups'],
          'groups are for tokens with the usage authentication',
          'add the usage authentication',
        )
      : none;
  const bad = groups.flatMap((name, index) => {
    if (group.test(name)) return none;
    const message = `${quote(name)} is not of the form system:bootstrappers:<name>`;
    return refuse('bootstrap.config.token-group', [...path, 'groups', index], message);
  });
  return [...useless, ...bad];
}

function lifeFindings({ ttl, expires }: BootstrapTokenEntry, path: Path): readonly Finding[] {
  if (ttl !== undefined && expires !== undefined) {
    return refuse(
      'bootstrap.config.exclusive',
      path,
      'ttl and expires exclude each other',
      'keep one',
    );
  }
  if (ttl === undefined) return none;
  const code = 'bootstrap.config.duration';
  const at = [...path, 'ttl'];
  const ms = parseDuration(ttl);
  // Only the flag --token-ttl comes here unread.
  if (ms === undefined) {
    return refuse(
      code,
      at,
      `${quote(ttl)} is not a duration`,
      'write it as 24h or 30m; 0: for ever',
    );
  }
  return ms >= 0 ? none : refuse(code, at, 'a token cannot have expired before it exists');
}
