import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { targets } from './fuzz/targets.ts';
import { builtInSeeds, caseSeeds, fuzz } from './fuzz.bench.ts';

test('mutated inputs neither crash nor hang, nor are they accepted and refused later', () => {
  const report = fuzz({ inputs: 4000, seeds: [...caseSeeds(), ...builtInSeeds], randomSeed: 20 });
  assert.deepEqual(report.failures, []);
  assert.ok(report.accepted > 100, `only ${report.accepted} inputs were accepted`);
});

/** Documents of the right keys with right and wrong values, which mutated texts seldom reach. */
const oddValue = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('/etc/a', '/etc/a/b', 'a.service', 'boot', 'x.conf', ''),
  },
  fc.constantFrom<unknown>(null, true, 0, 420, 4096, -1, 1.5, {}, [], ['a'], 'data:,x', 'gzip'),
  fc.string({ maxLength: 4, unit: 'binary' }),
);

function objectOf(...keys: string[]): fc.Arbitrary<Record<string, unknown>> {
  const members = keys.map((key) => [key, fc.option(oddValue, { nil: undefined })] as const);
  return fc.record(Object.fromEntries(members));
}

function listOf(entry: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fc.array(entry, { maxLength: 3 }) }, oddValue);
}

const oddFile = fc
  .tuple(
    objectOf('path', 'mode', 'overwrite', 'user', 'append'),
    fc.option(objectOf('source', 'compression', 'verification'), { nil: undefined }),
  )
  .map(([fields, contents]) => ({ ...fields, contents }));
const oddUnit = fc
  .tuple(
    objectOf('name', 'enabled', 'mask', 'contents'),
    fc.option(listOf(objectOf('name', 'contents')), { nil: undefined }),
  )
  .map(([fields, dropins]) => ({ ...fields, dropins }));

test('documents with the right keys and any values hold what validation says', () => {
  const document = fc.record({
    ignition: fc.constant({ version: '3.4.0' }),
    storage: fc.record({ files: listOf(oddFile) }),
    systemd: fc.record({ units: listOf(oddUnit) }),
    passwd: fc.record({ users: listOf(objectOf('name', 'user', 'sshAuthorizedKeys')) }),
  });
  fc.assert(
    fc.property(document, (given) => {
      targets.json(JSON.stringify(given));
    }),
    { numRuns: 1000 },
  );
});
