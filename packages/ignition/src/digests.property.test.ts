import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { gunzip } from './gzip.ts';
import { sha256, sha512 } from './index.ts';
import { inflate } from './inflate.ts';

const limit = 1 << 20;
const bytes = fc.uint8Array({ maxLength: 700 });
/** Bytes that compress: long repetitions between random parts. */
const compressible = fc
  .array(fc.tuple(bytes, fc.nat({ max: 300 })), { maxLength: 8 })
  .map((parts) => {
    const repeated = parts.flatMap(([part, count]) => [part, new Uint8Array(count).fill(count)]);
    return new Uint8Array(Buffer.concat(repeated));
  });

test('sha256 and sha512 agree with OpenSSL', () => {
  fc.assert(
    fc.property(bytes, (input) => {
      const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex');
      assert.equal(hex(sha256(input)), createHash('sha256').update(input).digest('hex'));
      assert.equal(hex(sha512(input)), createHash('sha512').update(input).digest('hex'));
    }),
  );
});

test('sha of a message that fills a block and of one that is longer', () => {
  for (const length of [55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 100_000]) {
    const input = new Uint8Array(length).fill(length);
    assert.deepEqual(Buffer.from(sha256(input)), createHash('sha256').update(input).digest());
    assert.deepEqual(Buffer.from(sha512(input)), createHash('sha512').update(input).digest());
  }
});

test('base64 of any bytes is what Buffer writes, and decodes to them', () => {
  fc.assert(
    fc.property(bytes, (input) => {
      const text = encodeBase64(input);
      assert.equal(text, Buffer.from(input).toString('base64'));
      assert.deepEqual(decodeBase64(text), input);
    }),
  );
});

test('base64 of any text is either refused or what Buffer reads from it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'AZaz09+/=-_ \n') }), (text) => {
      const decoded = decodeBase64(text);
      if (decoded) assert.deepEqual(Buffer.from(decoded), Buffer.from(text, 'base64'));
    }),
  );
});

test('gunzip undoes gzip at every level', () => {
  fc.assert(
    fc.property(compressible, fc.nat({ max: 9 }), (input, level) => {
      const result = gunzip(gzipSync(input, { level }), limit);
      assert.ok(result.ok);
      assert.deepEqual(Buffer.from(result.bytes), Buffer.from(input));
    }),
    { numRuns: 200 },
  );
});

test('gunzip joins members', () => {
  fc.assert(
    fc.property(compressible, compressible, (left, right) => {
      const result = gunzip(Buffer.concat([gzipSync(left), gzipSync(right)]), limit);
      assert.ok(result.ok);
      assert.deepEqual(Buffer.from(result.bytes), Buffer.concat([left, right]));
    }),
  );
});

test('a damaged or cut gzip never gives other bytes', () => {
  fc.assert(
    fc.property(compressible, fc.nat(), fc.integer({ min: 1, max: 255 }), (input, at, flip) => {
      const zipped = gzipSync(input);
      const cut = gunzip(zipped.subarray(0, at % zipped.length), limit);
      assert.equal(cut.ok, false);
      const index = at % zipped.length;
      zipped[index] = (zipped[index] ?? 0) ^ flip;
      const damaged = gunzip(zipped, limit);
      if (damaged.ok) assert.deepEqual(Buffer.from(damaged.bytes), Buffer.from(input));
    }),
    { numRuns: 200 },
  );
});

test('a bomb is refused as soon as it passes the limit', () => {
  const bomb = gzipSync(new Uint8Array(8 * limit));
  assert.ok(bomb.length < limit / 64);
  assert.deepEqual(gunzip(bomb, limit), { ok: false, fault: 'gzip-too-large' });
  assert.equal(gunzip(gzipSync(new Uint8Array(limit)), limit).ok, true);
});

test('gzip headers with a name, a comment, extra bytes and a header checksum', () => {
  const body = deflateRawSync('x');
  const trailer = gzipSync('x').subarray(-8);
  const header = (flags: number) => [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255];
  const table = [
    { name: 'name', given: [...header(8), 97, 0], want: true },
    { name: 'comment', given: [...header(16), 97, 0], want: true },
    { name: 'extra', given: [...header(4), 2, 0, 1, 2], want: true },
    { name: 'wrong header checksum', given: [...header(2), 1, 2], want: false },
    { name: 'endless name', given: [...header(8)], want: false },
  ];
  for (const { name, given, want } of table) {
    const result = gunzip(Buffer.concat([Uint8Array.from(given), body, trailer]), limit);
    assert.equal(result.ok, want, name);
  }
});

test('inflate of any bytes ends with bytes or a fault', () => {
  fc.assert(
    fc.property(bytes, (input) => {
      const result = inflate(input, 0, limit);
      if (result.ok) assert.ok(result.end <= input.length);
    }),
    { numRuns: 1000 },
  );
});
