import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pruneAs } from '../types/prune.ts';
import { decodeProtobuf } from './protobuf.ts';

type Vector = { kind: string; type: string; protobuf: string; json: Record<string, unknown> };

const file = new URL('testdata/protobuf-vectors.json', import.meta.url);
const vectors: readonly Vector[] = JSON.parse(readFileSync(file, 'utf8'));

/** Without the nulls that Go writes for nil lists. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item) => (item === null ? undefined : item)));
}

for (const [index, vector] of vectors.entries()) {
  const name = `${vector.kind} ${index % 2 === 0 ? 'empty' : 'filled'}`;

  test(`decodes what Go encodes: ${name}`, () => {
    const decoded = decodeProtobuf(Buffer.from(vector.protobuf, 'base64'), vector.type);
    const got = pruneAs(vector.type, decoded, vector.kind, 'v1');
    const want = pruneAs(vector.type, vector.json, vector.kind, 'v1');
    assert.deepEqual(got.object, want.object);
    assert.deepEqual(got.unknownFields, []);
  });

  test(`keeps every field that Go writes: ${name}`, () => {
    const { object, unknownFields } = pruneAs(vector.type, vector.json, vector.kind, 'v1');
    assert.deepEqual(unknownFields, []);
    assert.deepEqual(object, withoutNulls(vector.json));
  });
}

test('refuses torn and foreign bodies', () => {
  const whole = Buffer.from(vectors[1]?.protobuf ?? '', 'base64');
  const type = vectors[1]?.type ?? '';
  for (const bytes of [Buffer.from('{}'), whole.subarray(0, whole.length - 3), Buffer.alloc(0)]) {
    assert.throws(() => decodeProtobuf(bytes, type), /protobuf/);
  }
});
