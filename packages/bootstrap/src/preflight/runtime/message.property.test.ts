import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeMessage, encodeMessage } from './message.ts';

const field = fc.record({
  number: fc.integer({ min: 1, max: 536_870_911 }),
  value: fc.oneof(fc.boolean(), fc.string(), fc.uint8Array()),
});

test('what is encoded is decoded', () => {
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      const decoded = decodeMessage(encodeMessage(fields));
      assert.equal(decoded.length, fields.length);
      for (const [index, { number, value }] of fields.entries()) {
        assert.equal(decoded[index]?.number, number);
        const got = decoded[index]?.value;
        if (typeof value === 'boolean') assert.equal(got, value ? 1 : 0);
        else assert.deepEqual(Buffer.from(got as Uint8Array), Buffer.from(value as Uint8Array));
      }
    }),
  );
});

test('anything else is refused and does no harm', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        decodeMessage(bytes);
      } catch (error) {
        assert.ok(error instanceof RangeError);
      }
    }),
  );
});
