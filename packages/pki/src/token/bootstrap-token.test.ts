import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  bootstrapTokenSecret,
  defaultTokenGroup,
  formatBootstrapToken,
  generateBootstrapToken,
  inspectBootstrapTokenSecret,
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
  assert.equal(read?.description, record.description);
});

test('a token without groups and usages says nothing of them', () => {
  const object = bootstrapTokenSecret({ token, groups: [], usages: [] });
  assert.deepEqual(Object.keys(object.data), ['token-id', 'token-secret']);
  assert.deepEqual(readBootstrapTokenSecret(object)?.groups, []);
});

const encoded = (text: string) => Buffer.from(text).toString('base64');
type Malformed = {
  readonly name: string;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly want: RegExp;
};
const malformed: readonly Malformed[] = [
  { name: 'another type', type: 'Opaque', want: /its type is not/ },
  { name: 'no id', data: { 'token-id': '' }, want: /no token-id/ },
  { name: 'no secret', data: { 'token-secret': '' }, want: /no token-secret/ },
  { name: 'bad id', data: { 'token-id': encoded('ABC') }, want: /not of the form/ },
  { name: 'a year only', data: { expiration: encoded('2030') }, want: /"2030"/ },
];
for (const { name, type, data, want } of malformed) {
  test(`what keeps a Secret from being a token: ${name}`, () => {
    const whole = bootstrapTokenSecret({ token });
    const object = { type: type ?? whole.type, data: { ...whole.data, ...data } };
    const read = inspectBootstrapTokenSecret(object);
    assert.match('problem' in read ? read.problem : '', want);
    assert.doesNotMatch('problem' in read ? read.problem : '', /0123456789abcdef/);
  });
}

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
