import assert from 'node:assert/strict';
import { isIPv4, isIPv6 } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  addressAt,
  addressNumber,
  cidrContains,
  formatAddress,
  formatCidr,
  parseCidr,
  serviceAddress,
} from './cidr.ts';

describe('ranges of addresses', () => {
  test('an address is the same after writing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (number) => {
        const text = formatAddress('ipv6', number);
        assert.ok(isIPv6(text), text);
        assert.equal(addressNumber(text), number);
        const quad = formatAddress('ipv4', number & 0xffff_ffffn);
        assert.ok(isIPv4(quad), quad);
        assert.equal(addressNumber(quad), number & 0xffff_ffffn);
      }),
    );
  });

  test('every form that the standard library reads is read to the same number', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const number = addressNumber(text);
        assert.notEqual(number, undefined);
        // The URL parser writes the canonical form of RFC 5952.
        assert.equal(
          `[${formatAddress('ipv6', number ?? 0n)}]`,
          new URL(`http://[${text}]`).hostname,
        );
      }),
    );
  });

  test('a range contains what it counts and nothing before or after', () => {
    const prefix = fc.integer({ min: 8, max: 28 });
    fc.assert(
      fc.property(fc.ipV4(), prefix, fc.integer({ min: 0, max: 15 }), (address, length, index) => {
        const cidr = parseCidr(`${address}/${length}`);
        assert.ok(cidr !== undefined);
        assert.ok(cidrContains(cidr, address));
        assert.ok(cidrContains(cidr, addressAt(cidr, index) ?? ''));
        assert.deepEqual(parseCidr(formatCidr(cidr)), cidr);
        if (cidr.network > 0n) {
          assert.equal(cidrContains(cidr, formatAddress('ipv4', cidr.network - 1n)), false);
        }
      }),
    );
  });

  for (const { given, api, dns } of [
    { given: '10.96.0.0/12', api: '10.96.0.1', dns: '10.96.0.10' },
    { given: 'fd00:10:96::/112', api: 'fd00:10:96::1', dns: 'fd00:10:96::a' },
    { given: '10.1.0.0/16,fd00::/112', api: '10.1.0.1', dns: '10.1.0.10' },
    { given: '10.96.5.7/24', api: '10.96.5.1', dns: '10.96.5.10' },
  ]) {
    test(`service addresses of ${given}`, () => {
      assert.equal(serviceAddress(given, 1), api);
      assert.equal(serviceAddress(given, 10), dns);
    });
  }

  for (const given of [
    '10.96.0.0/33',
    '10.96.0.0',
    '10.96.0.0/012',
    'a/8',
    '::/129',
    '1.2.3/8',
    '',
  ]) {
    test(`${JSON.stringify(given)} is no range`, () => assert.equal(parseCidr(given), undefined));
  }
});
