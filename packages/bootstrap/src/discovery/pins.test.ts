import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCertificateAuthority, dayMs, publicKeyPin } from '@slipway/pki';
import { checkPins, matchesPins, parsePins, pinnedAuthorities, pinProblem } from './pins.ts';

const digits = '0123456789abcdef'.repeat(4);

const problems = [
  { given: `sha256:${digits}`, want: undefined },
  { given: `SHA256:${digits.toUpperCase()}`, want: undefined },
  { given: digits, want: /form sha256:<hex digits>/ },
  { given: `sha256:${digits}:x`, want: /form sha256:<hex digits>/ },
  { given: `md5:${digits}`, want: /format "md5" is not known/ },
  { given: `sha256:${digits.slice(1)}g`, want: /not hex digits only/ },
  { given: `sha256:${digits.slice(2)}`, want: /64 hex digits, here are 62/ },
  { given: 'sha256:', want: /here are 0/ },
  { given: '', want: /form sha256:<hex digits>/ },
];
for (const { given, want } of problems) {
  test(`pin "${given.slice(0, 20)}…" of ${given.length} characters`, () => {
    const problem = pinProblem(given);
    if (want === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? '', want);
  });
}

test('all malformed pins are named at once', () => {
  assert.throws(() => parsePins(['x', `sha256:${digits}`, 'md5:00']), {
    code: 'bootstrap.discovery.pin-malformed',
    message: /"x": .*; "md5:00": /,
  });
});

test('one pin of several is enough, in any case; none is none', async () => {
  const validity = { now: Date.now(), validityMs: dayMs };
  const [one, two] = [
    await createCertificateAuthority({ commonName: 'kubernetes', validity }),
    await createCertificateAuthority({ commonName: 'kubernetes', validity }),
  ];
  const bundle = one.certificatePem + two.certificatePem;
  const pin = publicKeyPin(two.certificatePem);
  assert.ok(matchesPins(bundle, ['sha256:00', pin.toUpperCase()]));
  assert.equal(pinnedAuthorities(bundle, [pin]).trim(), two.certificatePem.trim());
  assert.throws(() => checkPins(one.certificatePem, [pin]), { code: 'bootstrap.discovery.pin' });
  assert.throws(() => checkPins(bundle, []), { code: 'bootstrap.discovery.pin' });
});
