import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ExpectedPath, ExpectedState } from '../declaration/expected-state.ts';
import type { Image } from '../state/image.ts';
import { absent, sameImage } from '../state/image.ts';
import { compare } from './compare.ts';
import { describeDrift } from './describe-drift.ts';

const attributes = {
  mode: fc.constantFrom(0o600, 0o644, 0o755),
  uid: fc.constantFrom(0, 7),
  gid: fc.constantFrom(0, 7),
};

const file: fc.Arbitrary<Image> = fc.record({
  type: fc.constant('file' as const),
  digest: fc.constantFrom('sha256:a', 'sha256:b'),
  sizeBytes: fc.constant(1),
  ...attributes,
});

const image: fc.Arbitrary<Image> = fc.oneof(
  file,
  fc.record({ type: fc.constant('directory' as const), ...attributes }),
  fc.record({
    type: fc.constant('symlink' as const),
    target: fc.constantFrom('/dev/null', '/etc/x'),
  }),
  fc.constant(absent),
  fc.constant({ type: 'other' } as const),
);

const declared = image.filter(({ type }) => type !== 'other');

const states = fc.array(fc.record({ expected: declared, found: image }), { maxLength: 8 });

function stateOf(pairs: readonly { readonly expected: Image }[]): ExpectedState {
  const paths = pairs.map(
    ({ expected }, index): ExpectedPath => ({
      path: `/etc/${index}`,
      role: 'file',
      image: expected,
      owner: '0:0',
    }),
  );
  return { paths, units: [], contents: new Map(), problems: [] };
}

test('a path has findings exactly when it differs, and each is in the reason', () => {
  fc.assert(
    fc.property(states, (pairs) => {
      const observed = {
        paths: new Map(pairs.map(({ found }, index) => [`/etc/${index}`, found])),
        units: new Map(),
      };
      const findings = compare(stateOf(pairs), observed);
      const reason = describeDrift(findings);
      for (const [index, { expected, found }] of pairs.entries()) {
        const mine = findings.filter(({ path }) => path === `/etc/${index}`);
        assert.equal(mine.length === 0, sameImage(expected, found));
        for (const { path } of mine) assert.ok(reason.includes(`${path}: `));
      }
    }),
  );
});
