import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createObjectSchema } from './object-schema.ts';
import type { SchemaNode } from './schema-node.ts';

const names = ['a', 'b', 'c', '__proto__', 'constructor'];

const schemas = fc.letrec<{ node: SchemaNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ type: fc.constant('string'), maxLength: fc.nat(3) }),
    fc.record({ type: fc.constant('integer'), default: fc.nat(3), nullable: fc.boolean() }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('node') }),
    fc.record({
      type: fc.constant('array'),
      items: tie('node'),
      'x-kubernetes-list-type': fc.constantFrom('atomic', 'set'),
    }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3 }),
      required: fc.subarray(names),
      'x-kubernetes-preserve-unknown-fields': fc.boolean(),
    }),
  ),
})).node;

const values = fc.jsonValue({ maxDepth: 4 });

test('pruning and defaulting are idempotent, and validation never throws', () => {
  fc.assert(
    fc.property(schemas, values, values, (node, given, before) => {
      const root: SchemaNode = { type: 'object', properties: { spec: node } };
      const schema = createObjectSchema(root);
      const object = (spec: unknown) => ({ apiVersion: 'a/v1', kind: 'A', metadata: {}, spec });
      const pruned = schema.prune(object(given)).object;
      const again = schema.prune(pruned);
      assert.deepEqual(again.object, pruned);
      assert.deepEqual(again.unknownFields, []);
      const defaulted = schema.applyDefaults(pruned);
      assert.deepEqual(schema.applyDefaults(defaulted), defaulted);
      schema.validate(defaulted, schema.prune(object(before)).object);
      assert.deepEqual(schema.validate(defaulted, defaulted), []);
    }),
    { numRuns: 300 },
  );
});
