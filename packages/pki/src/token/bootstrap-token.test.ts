import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  bootstrapTokenSecret,
  defaultTokenGroup,
  formatBootstrapToken,
  generateBootstrapToken,
  parseBootstrapToken,
  readBootstrapTokenSecret,
  signDetached,
  verifyDetached,
} from '../index.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');

test('generated tokens have the form that is parsed', () => {
  const made = generateBootstrapToken();
  assert.equal(parseBootstrapToken(formatBootstrapToken(made).reveal()).id, made.id);
  assert.doesNotMatch(inspect(made), new RegExp(made.secret.reveal()));
});

for (const given of [
  '',
  'abcdef',
  'ABCDEF.0123456789abcdef',
  'abcdef.0123456789abcde',
  ' abcdef.0123456789abcdef',
]) {
  test(`refused: "${given}"`, () => {
    assert.throws(() => parseBootstrapToken(given), { code: 'pki.token.malformed' });
  });
}

test('the Secret object round-trips', () => {
  const record = { token, expiresAt: Date.UTC(2027, 0, 2), description: 'for up' };
  const object = bootstrapTokenSecret(record);
  assert.deepEqual(object.metadata, { name: 'bootstrap-token-abcdef', namespace: 'kube-system' });
  const read = readBootstrapTokenSecret(object);
  assert.equal(read?.token.secret.reveal(), token.secret.reveal());
  assert.equal(read?.expiresAt, record.expiresAt);
  assert.deepEqual(read?.usages, ['signing', 'authentication']);
  assert.deepEqual(read?.groups, [defaultTokenGroup]);
});

test('a Secret with an unreadable expiration is no token', () => {
  const { data, type } = bootstrapTokenSecret({ token });
  const expiration = Buffer.from('soon').toString('base64');
  assert.equal(readBootstrapTokenSecret({ type, data: { ...data, expiration } }), undefined);
});

test('a detached signature is the one that Kubernetes makes', () => {
  const content = 'apiVersion: v1\nkind: Config\n';
  const signature =
    'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9..vH_kT4yiol-nrAWgjfCYqvum5wsKETXe0S7OOp1VgnE';
  assert.equal(signDetached(content, token), signature);
  assert.ok(verifyDetached(content, signature, token));
  assert.ok(!verifyDetached(`${content} `, signature, token));
  assert.ok(!verifyDetached(content, signature.slice(1), token));
});
