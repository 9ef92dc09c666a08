import assert from 'node:assert/strict';
import { createCipheriv, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { Secret } from '@slipway/base';
import fc from 'fast-check';
import { certificateKey, decryptCertificates, encryptCertificates } from './upload-encryption.ts';

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => hex(bytes));
const contents = fc.dictionary(fc.string(), fc.uint8Array({ maxLength: 200 }), {
  noNullPrototype: true,
  maxKeys: 5,
});

function hex(bytes: Uint8Array): Secret {
  return new Secret(Buffer.from(bytes).toString('hex'));
}

const undecipherable = { code: 'bootstrap.uploaded-certificates.undecipherable' };

test('what was encrypted comes back', () => {
  fc.assert(
    fc.property(contents, keys, (content, key) => {
      const back = decryptCertificates(encryptCertificates(content, key), key);
      assert.deepEqual(Object.keys(back), Object.keys(content));
      for (const [name, plain] of Object.entries(content)) {
        assert.ok(Buffer.from(plain).equals(back[name] ?? Buffer.alloc(1)), name);
      }
    }),
  );
});

test('any flipped bit is refused, and nothing comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), keys, fc.nat(), (plain, key, at) => {
      const sealed = encryptCertificates({ 'ca.key': plain, 'ca.crt': plain }, key);
      const { 'ca.key': sealedKey = '' } = sealed;
      const bytes = Buffer.from(sealedKey, 'base64');
      const bit = at % (bytes.length * 8);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const changed = { ...sealed, 'ca.key': bytes.toString('base64') };
      assert.throws(() => decryptCertificates(changed, key), undecipherable);
    }),
  );
});

test('another key is refused', () => {
  fc.assert(
    fc.property(keys, keys, (key, other) => {
      fc.pre(key.reveal() !== other.reveal());
      const sealed = encryptCertificates({ 'ca.key': Buffer.from('secret') }, key);
      assert.throws(() => decryptCertificates(sealed, other), undecipherable);
    }),
  );
});

test('fewer bytes than nonce and tag are refused', () => {
  const key = new Secret(certificateKey());
  const short = Buffer.alloc(27).toString('base64');
  assert.throws(() => decryptCertificates({ 'ca.crt': short }, key), undecipherable);
});

test('the layout is nonce, ciphertext, tag, as Go seals', () => {
  const key = new Secret('00'.repeat(32));
  const nonce = Buffer.from('000102030405060708090a0b', 'hex');
  const cipher = createCipheriv('aes-256-gcm', Buffer.alloc(32), nonce);
  const text = Buffer.concat([cipher.update('hello'), cipher.final()]);
  const sealed = Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64');
  const { 'sa.pub': opened = [] } = decryptCertificates({ 'sa.pub': sealed }, key);
  assert.equal(Buffer.from(opened).toString(), 'hello');
});

// What kubeadm 1.37.2 stored for a public key, and the certificate key that it printed; the cluster is gone.
test('what kubeadm encrypted is read', () => {
  const key = new Secret('a0cee25df9188d4bc23785738402810b64b228908a9fa0dd45590d8f89653c6a');
  const stored = [
    'UMJSWF++ayUoZJIN941voY+vxF/zlJguYq6WEUxIHZWMK9/6X5l05JLZN2MtbAuXcVAkCKpVJBYdrCjyp/C77ezP9W3wcPFg',
    'bx7VHRNWI64nsgzfmt85Bt2bZ9PO4ET2EFuY+MU8ehWLYScXr04JV/ouNgGEsTt9d9Ll1H+JwYVheKKReSIIvjk6QJg3euZO',
    'TD0Na8yJjITWs5wu48QSAMrS9AY2sKlkvoR/klUa5tWtBlDnjBumxz8J6731yGnbnKhq6BeGQIwZakKEHXQ=',
  ].join('');
  const { 'sa.pub': opened = [] } = decryptCertificates({ 'sa.pub': stored }, key);
  assert.equal(createPublicKey(Buffer.from(opened)).asymmetricKeyType, 'ec');
});

test('a key that is none is refused, and not told', () => {
  for (const text of ['', 'abc', `${'0'.repeat(63)}g`, '0'.repeat(65)]) {
    assert.throws(
      () => encryptCertificates({}, new Secret(text)),
      (error: Error) => {
        assert.equal(Reflect.get(error, 'code'), 'bootstrap.certificate-key.malformed');
        return text === '' || !error.message.includes(text);
      },
    );
  }
  assert.match(certificateKey(), /^[0-9a-f]{64}$/);
  assert.notEqual(certificateKey(), certificateKey());
});
