import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { nodes, secrets } from '@slipway/api';
import { systemClock } from '@slipway/base';
import {
  createToken,
  defaultTokenEntry,
  deleteTokens,
  listTokens,
  tokenIdOf,
} from '@slipway/bootstrap';
import { createKubeClient, isNotFound, isUnauthorized } from '@slipway/kube';
import { defaultTokenGroup, formatBootstrapToken } from '@slipway/pki';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';

const text = 'abcdef.0123456789abcdef';

suite('tokens of a cluster', () => {
  let cluster: EmbeddedCluster;
  before(async () => {
    cluster = await startEmbeddedCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function remove(...tokens: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = [];
    const { client } = cluster;
    await deleteTokens({ client, tokens, onDeleted: (id) => gone.push(id) });
    return gone;
  }

  test('created, listed, refused a second time, deleted', async () => {
    const { client } = cluster;
    const entry = { ...defaultTokenEntry, token: text, ttl: '2h', description: 'hello' };
    const before = Date.now();
    await createToken({ client, entry, clock: systemClock });
    const random = await createToken({ client, entry: defaultTokenEntry, clock: systemClock });
    const { tokens, problems } = await listTokens(client);
    assert.deepEqual(problems, []);
    const found = tokens.find(({ token }) => token.id === 'abcdef');
    assert.equal(found && formatBootstrapToken(found.token).reveal(), text);
    assert.equal(found?.description, 'hello');
    assert.deepEqual(found?.groups, [defaultTokenGroup]);
    const left = (found?.expiresAt ?? 0) - before;
    assert.ok(left > 7_190_000 && left < 7_210_000, String(left));
    await assert.rejects(createToken({ client, entry, clock: systemClock }), {
      code: 'bootstrap.token.exists',
      message: /abcdef/,
    });
    assert.deepEqual(await remove(text, random.token.id), ['abcdef', random.token.id]);
    assert.deepEqual((await listTokens(client)).tokens, []);
  });

  test('the API server accepts a token with usage authentication, until it is deleted', async () => {
    const { client, server, certificateAuthorityPem } = cluster;
    const { token } = await createToken({ client, entry: defaultTokenEntry, clock: systemClock });
    const joining = createKubeClient({
      server,
      certificateAuthority: { pem: certificateAuthorityPem },
      token: { secret: formatBootstrapToken(token) },
    });
    // Joining hosts may look for a Node of their name.
    await assert.rejects(joining.get(nodes, 'w'), isNotFound);
    await remove(token.id);
    await assert.rejects(joining.get(nodes, 'w'), isUnauthorized);
    joining.close();
  });

  test('what is stored as a token without being one is told and left out', async () => {
    const { client } = cluster;
    const type = 'bootstrap.kubernetes.io/token';
    const encode = (value: string) => Buffer.from(value).toString('base64');
    const metadata = (name: string) => ({ name, namespace: 'kube-system' });
    await client.create(secrets, {
      metadata: metadata('bootstrap-token-zzzzzz'),
      type,
      data: { 'token-id': encode('yyyyyy'), 'token-secret': encode('0123456789abcdef') },
    });
    await client.create(secrets, { metadata: metadata('bootstrap-token-half'), type, data: {} });
    await client.create(secrets, { metadata: metadata('no-token'), type: 'Opaque', data: {} });
    const { tokens, problems } = await listTokens(client);
    assert.deepEqual(tokens, []);
    assert.deepEqual(
      [...problems].sort((a, b) => (a < b ? -1 : 1)),
      [
        'Secret bootstrap-token-half is no token: it has no token-id',
        'Secret bootstrap-token-zzzzzz is no token: its name should be bootstrap-token-yyyyyy',
      ],
    );
  });

  test('nothing is deleted when one is misspelt; those that are missing are named together', async () => {
    const { client } = cluster;
    const entry = { ...defaultTokenEntry, token: text };
    await createToken({ client, entry, clock: systemClock });
    await assert.rejects(remove('abcdef', 'ABCDEF'), {
      code: 'bootstrap.token.invalid',
      kind: 'user',
    });
    await assert.rejects(remove('nobody', 'abcdef', 'nothim'), {
      code: 'bootstrap.token.missing',
      message: /nobody, nothim/,
    });
    assert.deepEqual((await listTokens(client)).tokens, []);
  });
});

const ids = [
  { given: 'abcdef', want: 'abcdef' },
  { given: text, want: 'abcdef' },
  { given: 'abcdef.', want: undefined },
  { given: 'abcde', want: undefined },
  { given: `${text}0`, want: undefined },
];
for (const { given, want } of ids) {
  test(`id of ${given}`, () => assert.equal(tokenIdOf(given), want));
}
