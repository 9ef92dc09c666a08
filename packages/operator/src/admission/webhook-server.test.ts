import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, suite, test } from 'node:test';
import { silentLogger, systemClock } from '@slipway/base';
import { WebhookServer } from './webhook-server.ts';

type Answer = { readonly code: number; readonly body: string };

suite('admission webhook', () => {
  const server = new WebhookServer({
    host: '127.0.0.1',
    port: 0,
    judge: ({ user }) => [{ code: 'x', severity: 'error', path: 'spec', message: `no, ${user}` }],
    clock: systemClock,
    logger: silentLogger,
  });
  before(() => server.start());
  after(() => server.stop());

  function post(path: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', ca: server.caPem, agent: false };
      const call = request(new URL(path, server.url), options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: text }));
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  test('answers over TLS that the announced authority vouches for', async () => {
    const review = { uid: 'u1', userInfo: { username: 'jane' }, object: {} };
    const answer = await post(
      '/validate',
      JSON.stringify({ kind: 'AdmissionReview', request: review }),
    );
    assert.equal(answer.code, 200);
    assert.match(answer.body, /"allowed":false/);
    assert.match(answer.body, /spec: no, jane/);
  });

  test('what is no review is refused', async () => {
    assert.equal((await post('/validate', 'nonsense')).code, 400);
    assert.equal((await post('/elsewhere', '{}')).code, 404);
    assert.equal((await post('/validate', 'x'.repeat(9 * 1024 * 1024))).code, 413);
  });

  test('a port that is taken is a clear refusal', async () => {
    const second = new WebhookServer({
      host: '127.0.0.1',
      port: server.port,
      judge: () => [],
      clock: systemClock,
      logger: silentLogger,
    });
    await assert.rejects(second.start(), { code: 'operator.webhook-listen' });
    await second.stop();
  });
});
