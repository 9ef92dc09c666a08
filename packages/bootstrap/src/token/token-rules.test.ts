import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIssue } from '@slipway/base';
import type { BootstrapTokenEntry } from '../config/configuration.ts';
import { tokenSecret } from './create-token.ts';
import { checkTokenEntry, defaultTokenEntry } from './token-rules.ts';

const base = defaultTokenEntry;
const { ttl: _ttl, ...endless } = base;
const longest = `system:bootstrappers:${'a'.repeat(256)}`;

const cases: readonly { name: string; given: BootstrapTokenEntry; want: readonly RegExp[] }[] = [
  { name: 'the default', given: base, want: [] },
  { name: 'for ever', given: { ...base, ttl: '0' }, want: [] },
  { name: 'a whole token', given: { ...base, token: 'abcdef.0123456789abcdef' }, want: [] },
  { name: 'no usage and no group', given: { ...base, usages: [], groups: [] }, want: [] },
  { name: 'the longest group', given: { ...base, groups: [longest] }, want: [] },
  { name: 'until a time', given: { ...endless, expires: '2030-01-02T03:04:05Z' }, want: [] },
  {
    name: 'a bad token',
    given: { ...base, token: 'not-a-token' },
    want: [/^token: the token is not of the form/],
  },
  {
    name: 'an unknown usage',
    given: { ...base, usages: ['authentication', 'sign'] },
    want: [/"sign"/],
  },
  {
    name: 'groups without authentication',
    given: { ...base, usages: ['signing'] },
    want: [/^groups: groups are for tokens/],
  },
  {
    name: 'a group of administrators',
    given: { ...base, groups: ['system:masters'] },
    want: [/"system:masters"/],
  },
  {
    name: 'a group that is too long',
    given: { ...base, groups: [`${longest}a`] },
    want: [/groups/],
  },
  {
    name: 'a group with an end',
    given: { ...base, groups: ['system:bootstrappers:a-'] },
    want: [/groups/],
  },
  {
    name: 'no duration',
    given: { ...base, ttl: 'soon' },
    want: [/^ttl: is not a duration/],
  },
  { name: 'a negative duration', given: { ...base, ttl: '-1h' }, want: [/^ttl: /] },
  {
    name: 'both ttl and expires',
    given: { ...base, expires: '2030-01-02T03:04:05Z' },
    want: [/ttl and expires exclude/],
  },
  {
    name: 'no time',
    given: { ...endless, expires: 'soon' },
    want: [/^expires: is not an RFC 3339/],
  },
  {
    name: 'everything at once',
    given: { token: 'x', usages: ['sing'], groups: ['all'], ttl: 'x' },
    want: [/^token/, /^usages/, /^groups/, /^groups/, /^ttl/],
  },
];
for (const { name, given, want } of cases) {
  test(`token rules: ${name}`, () => {
    const found = checkTokenEntry(given).map(formatIssue);
    assert.equal(found.length, want.length, found.join('\n'));
    for (const [index, pattern] of want.entries()) assert.match(found[index] ?? '', pattern);
    if (want.length > 0) {
      assert.throws(() => tokenSecret(given, 0), { code: 'bootstrap.token.invalid', kind: 'user' });
    }
  });
}

const now = Date.UTC(2030, 0, 1);
const expirations = [
  { name: 'a ttl', given: { ...base, ttl: '1h30m' }, want: '2030-01-01T01:30:00Z' },
  { name: 'no end', given: { ...base, ttl: '0s' }, want: undefined },
  {
    name: 'a time',
    given: { ...endless, expires: '2031-01-01T02:00:00+01:00' },
    want: '2031-01-01T01:00:00Z',
  },
];
for (const { name, given, want } of expirations) {
  test(`expiration from ${name}`, () => {
    const written = Buffer.from(
      tokenSecret(given, now).secret.data?.['expiration'] ?? '',
      'base64',
    ).toString();
    assert.equal(written, want ?? '');
  });
}

test('an error repeats nothing of a misspelt token', () => {
  const token = 'abcdef.SECRET6789abcdef';
  assert.throws(
    () => tokenSecret({ ...base, token }, 0),
    (error: Error) => !error.message.includes('SECRET'),
  );
});
