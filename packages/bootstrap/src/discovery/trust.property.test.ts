import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@slipway/base';
import { parseBootstrapToken, signatureKey, signDetached, verifyDetached } from '@slipway/pki';
import fc from 'fast-check';
import { verifiedKubeconfig } from './cluster-info.ts';
import { parsePins, pinProblem } from './pins.ts';
import { validityProblem } from './validity-problem.ts';

const alphabet = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const word = (length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const tokens = fc
  .tuple(word(6), word(16))
  .map(([id, secret]) => parseBootstrapToken(`${id}.${secret}`));

test('what is signed verifies, and nothing else does', () => {
  fc.assert(
    fc.property(tokens, fc.string(), fc.string(), (token, text, other) => {
      const signature = signDetached(text, token);
      assert.ok(verifyDetached(text, signature, token));
      assert.equal(verifyDetached(other, signature, token), other === text);
    }),
  );
});

test('no other secret and no changed character verifies', () => {
  fc.assert(
    fc.property(tokens, word(16), fc.string(), fc.nat(), (token, secret, text, at) => {
      fc.pre(secret !== token.secret.reveal());
      const signature = signDetached(text, token);
      assert.ok(!verifyDetached(text, signature, { ...token, secret: new Secret(secret) }));
      const place = at % signature.length;
      const changed = `${signature.slice(0, place)}~${signature.slice(place + 1)}`;
      assert.ok(!verifyDetached(text, changed, token));
      assert.ok(!verifyDetached(text, signature.slice(0, place), token));
    }),
  );
});

test('cluster-info gives out the signed text or refuses', () => {
  fc.assert(
    fc.property(tokens, fc.string(), fc.string(), (token, kubeconfig, signature) => {
      const key = signatureKey(token.id);
      const right = { data: { kubeconfig, [key]: signDetached(kubeconfig, token) } };
      assert.equal(verifiedKubeconfig(right, token), kubeconfig);
      assert.throws(() => verifiedKubeconfig({ data: { kubeconfig, [key]: signature } }, token), {
        code: 'bootstrap.discovery.signature',
      });
    }),
  );
});

test('a text is a pin exactly when it is sha256 and 64 hex digits, in any case', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength: 70 });
  const format = fc.constantFrom('sha256', 'SHA256', 'Sha256', 'sha1', '');
  fc.assert(
    fc.property(format, fc.oneof(hex, fc.string()), (name, value) => {
      const text = `${name}:${value}`;
      const isPin = /^sha256:[0-9a-f]{64}$/i.test(text);
      assert.equal(pinProblem(text) === undefined, isPin);
      if (isPin) assert.deepEqual(parsePins([text]), [text.toLowerCase()]);
      else assert.throws(() => parsePins([text]), { code: 'bootstrap.discovery.pin-malformed' });
    }),
  );
});

test('a certificate has a validity problem exactly outside of its period', () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(time, time, time, (notBefore, notAfter, now) => {
      fc.pre(notBefore <= notAfter);
      const problem = validityProblem('it', { notBefore, notAfter }, now);
      assert.equal(problem === undefined, now >= notBefore && now <= notAfter);
    }),
  );
});
