import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '@slipway/base';
import fc from 'fast-check';
import {
  emptyIgnitionConfig,
  encodeIgnition,
  type IgnitionConfig,
  type IgnitionFile,
  type IgnitionSource,
  type IgnitionUnit,
  mergeIgnition,
  readIgnition,
  treeFromJson,
} from './index.ts';

const absent = { requiredKeys: [] as [] };
const owner = fc.oneof(
  fc.record({ id: fc.nat({ max: 3 }) }),
  fc.record({ name: fc.constantFrom('root', 'adm') }),
);
const source = fc.constantFrom('', 'data:,a', 'data:;base64,Yg==');
const contents = fc.record({ source, compression: fc.constant('' as const) });
const key = fc.constantFrom(
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR one',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBwNV8T9ISdCPHfw/ahJAHzFlibOA2T9pNxBpV2/E/4k two',
);
const text = fc.constantFrom('', '[Service]\nA=b\n', '[Install]\nWantedBy=x.target\n');

/** Configs whose names carry `tag`, so that configs of different tags have nothing in common. */
function configs(tag: string): fc.Arbitrary<IgnitionConfig> {
  const file: fc.Arbitrary<IgnitionFile> = fc
    .tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.record(
        { mode: fc.constantFrom(0o600, 0o644), user: owner, group: owner, contents },
        absent,
      ),
    )
    .map(([name, fields]) => ({ path: `/etc/${tag}/${name}`, ...fields }));
  const dropin = fc.tuple(fc.constantFrom('x', 'y'), text);
  const unit: fc.Arbitrary<IgnitionUnit> = fc
    .tuple(
      fc.constantFrom('a', 'b'),
      fc.record({ enabled: fc.boolean(), mask: fc.boolean(), contents: text }, absent),
      fc.uniqueArray(dropin, { selector: ([name]) => name, maxLength: 2 }),
    )
    .map(([name, fields, dropins]) => ({
      name: `${tag}-${name}.service`,
      ...fields,
      dropins: dropins.map(([dropinName, dropinText]) => ({
        name: `${dropinName}.conf`,
        contents: dropinText,
      })),
    }));
  return fc
    .record({
      files: fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 3 }),
      units: fc.uniqueArray(unit, { selector: ({ name }) => name, maxLength: 2 }),
      keys: fc.option(fc.uniqueArray(key), { nil: undefined }),
    })
    .map(({ files, units, keys }) =>
      structuredClone({
        version: '3.4.0' as const,
        files,
        units,
        ...(keys && tag === 'same' && { sshAuthorizedKeys: keys }),
      }),
    );
}

const config = configs('same');

function merged(...sources: IgnitionConfig[]): IgnitionConfig {
  const labelled = sources.map((given, index) => ({ label: `${index}`, config: given }));
  const result = mergeIgnition(labelled);
  assert.ok(result.config, JSON.stringify(result.issues));
  return result.config;
}

test('encoding and reading is identity', () => {
  fc.assert(
    fc.property(config, (given) => {
      assert.deepEqual(readIgnition(treeFromJson(encodeIgnition(given))).config, given);
    }),
  );
});

test('merging with the empty config, on either side, is identity', () => {
  fc.assert(
    fc.property(config, (given) => {
      assert.deepEqual(merged(given, emptyIgnitionConfig), given);
      assert.deepEqual(merged(emptyIgnitionConfig, given), given);
      assert.deepEqual(merged(given, given), given);
    }),
  );
  assert.deepEqual(merged(), emptyIgnitionConfig);
});

test('merging is associative', () => {
  fc.assert(
    fc.property(config, config, config, (a, b, c) => {
      const all = merged(a, b, c);
      assert.deepEqual(merged(merged(a, b), c), all);
      assert.deepEqual(merged(a, merged(b, c)), all);
    }),
  );
});

test('the order of configs that have nothing in common only orders the lists', () => {
  const sorted = (given: IgnitionConfig) => ({
    ...given,
    files: given.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    units: given.units.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  });
  fc.assert(
    fc.property(configs('left'), configs('right'), (left, right) => {
      const result = mergeIgnition([
        { label: 'left', config: left },
        { label: 'right', config: right },
      ]);
      assert.deepEqual(result.overrides, []);
      assert.deepEqual(sorted(merged(left, right)), sorted(merged(right, left)));
    }),
  );
});

test('the same sources give the same text', () => {
  fc.assert(
    fc.property(fc.array(config, { maxLength: 4 }), (given) => {
      const once = canonicalJson(encodeIgnition(merged(...given)));
      assert.equal(canonicalJson(encodeIgnition(merged(...structuredClone(given)))), once);
    }),
  );
});

/** The plain rule, for the fields of files: the last source that says something wins. */
function lastWith(
  sources: readonly IgnitionSource[],
  path: string,
  field: keyof IgnitionFile,
): IgnitionSource | undefined {
  return sources.findLast(({ config: given }) =>
    given.files.some((file) => file.path === path && file[field] !== undefined),
  );
}

test('every value comes from the last source that sets it, and provenance says so', () => {
  fc.assert(
    fc.property(fc.array(config, { minLength: 1, maxLength: 5 }), (given) => {
      const sources = given.map((each, index) => ({ label: `${index}`, config: each }));
      const result = mergeIgnition(sources);
      for (const [index, file] of (result.config?.files ?? []).entries()) {
        for (const field of ['mode', 'user', 'group', 'contents'] as const) {
          if (file[field] === undefined) continue;
          const origin = result.provenance.get(`storage.files[${index}].${field}`);
          const winner = lastWith(sources, file.path, field);
          assert.equal(origin?.source, winner?.label);
          const theirs = winner?.config.files.find(({ path }) => path === file.path);
          assert.deepEqual(file[field], theirs?.[field]);
        }
      }
      for (const { winner, overridden } of result.overrides) {
        assert.ok(Number(winner.source) > Number(overridden.source));
      }
    }),
  );
});
