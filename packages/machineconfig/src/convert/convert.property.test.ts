import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hasErrors } from '@slipway/base';
import {
  decodeContents,
  encodeDataUrl,
  formatYaml,
  jsonOf,
  parse,
  treeFromJson,
} from '@slipway/ignition';
import {
  boolean,
  constantFrom,
  assert as holds,
  jsonValue,
  nat,
  oneof,
  property,
  string,
  uint8Array,
} from 'fast-check';
import { readText } from '../document/read-text.ts';
import { readMachineConfig } from '../validate/read-machine-config.ts';
import { convertDocument } from './convert-document.ts';
import { convertTexts } from './convert-texts.ts';

const identity = { name: 'a', role: 'worker' };
const folder = new URL('../../testdata/convert/', import.meta.url);
const samples = readdirSync(folder)
  .filter((name) => name.includes('.in.'))
  .flatMap((name) => parse(readFileSync(new URL(name, folder), 'utf8')).documents)
  .map(({ root }) => JSON.stringify(jsonOf(root)));

/** Words that mean something somewhere. */
const words = constantFrom(
  ...[
    'root',
    'core',
    'boot',
    '3.2.0',
    '2.2.0',
    '3.6.0',
    'data:,x',
    '/etc/a',
    'a.service',
    'Special',
  ],
  ...['List', 'MachineConfigPool', 'MachineConfiguration', '__proto__', 'constructor', 'toString'],
);
const value = oneof(words, jsonValue({ maxDepth: 2 }), string(), nat(), boolean());

/** The value with its `index`-th part replaced, or with a key renamed. */
function mutated(given: unknown, index: number, replacement: unknown, renames: boolean): unknown {
  let left = index;
  const walk = (node: unknown): unknown => {
    left -= 1;
    if (left === -1 && !renames) return replacement;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, member]) => {
        const isRenamed = renames && left === 0;
        const walked = walk(member);
        return [isRenamed ? String(replacement) : key, walked];
      }),
    );
  };
  return walk(given);
}

/** What came out is valid and stays as it is. */
function check(objects: readonly Parameters<typeof formatYaml>[0][]): void {
  if (objects.length === 0) return;
  const yaml = objects.map((object) => formatYaml(object)).join('---\n');
  assert.equal(hasErrors(readText(yaml).issues), false, yaml);
  const again = convertTexts([{ file: '-', text: yaml }], { identity });
  assert.deepEqual(again.objects, objects);
  assert.equal(again.hasDropped, false);
}

suite('conversion', () => {
  test('hostile inputs do no harm: refused, or converted to something valid', () => {
    holds(
      property(
        constantFrom(...samples),
        nat(120),
        value,
        boolean(),
        (sample, index, part, renames) => {
          const given = mutated(JSON.parse(sample), index, part, renames);
          const { objects, issues } = convertDocument(treeFromJson(given), { identity });
          if (hasErrors(issues)) assert.deepEqual(objects, []);
          check(objects);
        },
      ),
      { numRuns: 1500 },
    );
    holds(
      property(jsonValue(), (given) => {
        convertDocument(treeFromJson(given), { identity });
      }),
    );
  });

  test('bytes stay what they are, in every version and form', () => {
    const versions = ['2.0.0', '2.2.0', '2.4.0', '3.0.0', '3.3.0', '3.4.0', '3.6.0'];
    holds(
      property(
        uint8Array({ maxLength: 200 }),
        constantFrom(...versions),
        constantFrom('gzip', ''),
        (bytes, version, compression) => {
          const source = encodeDataUrl(compression === 'gzip' ? gzipSync(bytes) : bytes);
          const contents = { source, compression };
          const files = [{ filesystem: 'root', path: '/etc/a', mode: 420, contents }];
          const plain = files.map(({ filesystem: _, ...file }) => file);
          const storage = { files: version.startsWith('2') ? files : plain };
          const given = { ignition: { version }, storage };
          assert.deepEqual(
            bytesOf(convertDocument(treeFromJson(given), { identity }).objects),
            bytes,
          );
        },
      ),
    );
  });

  test('bytes of local files, and texts, are embedded as they are', () => {
    holds(
      property(uint8Array({ maxLength: 200 }), string({ unit: 'grapheme' }), (bytes, text) => {
        const butane = (contents: object) => ({
          variant: 'fcos',
          version: '1.5.0',
          storage: { files: [{ path: '/etc/a', contents }] },
        });
        const local = convertDocument(treeFromJson(butane({ local: 'x' })), {
          identity,
          readLocal: () => ({ bytes }),
        });
        assert.deepEqual(bytesOf(local.objects), bytes);
        const inline = convertDocument(treeFromJson(butane({ inline: text })), { identity });
        assert.deepEqual(bytesOf(inline.objects), new TextEncoder().encode(text));
      }),
    );
  });
});

function bytesOf(objects: readonly object[]): Uint8Array {
  const { host } = readMachineConfig(treeFromJson(objects[0]));
  const [file] = host?.ignition.files ?? [];
  assert.ok(file !== undefined);
  return Uint8Array.from(decodeContents(file));
}
