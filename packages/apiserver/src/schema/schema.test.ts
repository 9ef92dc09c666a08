import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createObjectSchema } from './object-schema.ts';
import type { SchemaNode } from './schema-node.ts';
import { checkStructural } from './structural.ts';

const widget: SchemaNode = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        color: { type: 'string', enum: ['red', 'green'], default: 'red' },
        name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
        when: { type: 'string', format: 'date-time' },
        maxUnavailable: {
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          'x-kubernetes-int-or-string': true,
        },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          maxItems: 2,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
            },
          },
        },
        maybe: { type: 'string', nullable: true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        choice: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
    },
  },
};

function object(spec: unknown) {
  return { apiVersion: 'ex.io/v1', kind: 'Widget', metadata: { name: 'w' }, spec };
}

const schema = createObjectSchema(widget);

suite('schema: pruning', () => {
  const cases: { name: string; given: unknown; want: string[] }[] = [
    { name: 'unknown member', given: { size: 1, foo: 1 }, want: ['spec.foo'] },
    {
      name: 'unknown member in a list',
      given: { size: 1, ports: [{ port: 1 }, { port: 2, x: 1 }] },
      want: ['spec.ports[1].x'],
    },
    {
      name: 'a member called __proto__',
      given: JSON.parse('{"size":1,"__proto__":{"polluted":1}}'),
      want: ['spec.__proto__'],
    },
    { name: 'open object keeps all', given: { size: 1, open: { a: { b: 1 } } }, want: [] },
    { name: 'map keeps its keys', given: { size: 1, labels: { 'a/b': 'c' } }, want: [] },
    {
      name: 'embedded resource drops unknown metadata only',
      given: { size: 1, template: { apiVersion: 'v1', metadata: { name: 'x', bad: 1 }, y: 1 } },
      want: ['spec.template.metadata.bad'],
    },
    {
      name: 'names of Object.prototype',
      given: { size: 1, constructor: 1 },
      want: ['spec.constructor'],
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      assert.deepEqual(schema.prune(object(given)).unknownFields, want);
    });
  }

  test('unknown metadata and root members are named', () => {
    const given = { ...object({ size: 1 }), metadata: { name: 'w', zap: 1 }, extra: true };
    assert.deepEqual(schema.prune(given).unknownFields, ['metadata.zap', 'extra']);
  });
});

suite('schema: defaulting', () => {
  test('a member called __proto__ stays one in an open object', () => {
    const open = JSON.parse('{"__proto__":{"a":1}}');
    const kept = schema.applyDefaults(schema.prune(object({ size: 1, open })).object);
    assert.equal(JSON.stringify((kept['spec'] as { open: unknown }).open), '{"__proto__":{"a":1}}');
  });

  test('absent members, items and forbidden nulls', () => {
    const given = object({ size: 1, color: null, ports: [{ port: 80 }], when: null, maybe: null });
    assert.deepEqual(schema.applyDefaults(given)['spec'], {
      size: 1,
      color: 'red',
      ports: [{ port: 80, protocol: 'TCP' }],
      maybe: null,
    });
  });
});

suite('schema: validation', () => {
  const cases: { name: string; given: unknown; want: string[] }[] = [
    { name: 'valid', given: { size: 1 }, want: [] },
    { name: 'required', given: {}, want: ['spec.size: Required value'] },
    {
      name: 'minimum',
      given: { size: 0 },
      want: ['spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
    },
    {
      name: 'type',
      given: { size: 'x' },
      want: [
        'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      ],
    },
    {
      name: 'fraction is no integer',
      given: { size: 1.5 },
      want: [
        'spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"',
      ],
    },
    {
      name: 'null',
      given: { size: null },
      want: ['spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"'],
    },
    {
      name: 'enum',
      given: { size: 1, color: 'blue' },
      want: ['spec.color: Unsupported value: "blue": supported values: "red", "green"'],
    },
    {
      name: 'pattern',
      given: { size: 1, name: 'A1' },
      want: [`spec.name: Invalid value: "A1": spec.name in body should match '^[a-z]+$'`],
    },
    {
      name: 'too long',
      given: { size: 1, name: 'abcde' },
      want: ['spec.name: Too long: may not be more than 4 bytes'],
    },
    {
      name: 'too short',
      given: { size: 1, name: 'a' },
      want: ['spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long'],
    },
    {
      name: 'format',
      given: { size: 1, when: 'noon' },
      want: [
        'spec.when: Invalid value: "noon": spec.when in body must be of type date-time: "noon"',
      ],
    },
    {
      name: 'set duplicates',
      given: { size: 1, tags: ['a', 'b', 'a'] },
      want: ['spec.tags[2]: Duplicate value: "a"'],
    },
    {
      name: 'map duplicates by key',
      given: {
        size: 1,
        ports: [
          { port: 1, protocol: 'TCP' },
          { port: 1, protocol: 'TCP' },
        ],
      },
      want: ['spec.ports[1]: Duplicate value: {"port":1,"protocol":"TCP"}'],
    },
    {
      name: 'too many items',
      given: { size: 1, ports: [{ port: 1 }, { port: 2 }, { port: 3 }] },
      want: ['spec.ports: Too many: 3: must have at most 2 items'],
    },
    {
      name: 'embedded resource that does not say what it is',
      given: { size: 1, template: { kind: 'A' } },
      want: ['spec.template.apiVersion: Required value: must not be empty'],
    },
    { name: 'int or string', given: { size: 1, maxUnavailable: '50%' }, want: [] },
    {
      name: 'one of none',
      given: { size: 1, choice: {} },
      want: [
        '<nil>: Invalid value: "": "spec.choice" must validate one and only one schema (oneOf). Found none valid',
        'spec.choice.a: Required value',
      ],
    },
    {
      name: 'map values',
      given: { size: 1, labels: { a: 1 } },
      want: [
        'spec.labels.a: Invalid value: "integer": spec.labels.a in body must be of type string: "integer"',
      ],
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const errors = schema.validate(object(given));
      assert.deepEqual(
        errors.map((error) => `${error.field}: ${error.message}`),
        want,
      );
    });
  }

  test('what did not change is not judged again', () => {
    const old = object({ size: 99, name: 'abcde', ports: [{ port: 'x' }, { port: 2 }] });
    assert.deepEqual(
      schema.validate({ ...old, spec: { ...(old.spec as object), color: 'red' } }, old),
      [],
    );
    const worse = object({ size: 98, name: 'abcde' });
    assert.deepEqual(
      schema.validate(worse, old).map((error) => error.field),
      ['spec.size'],
    );
  });
});

suite('schema: structural', () => {
  const cases: { name: string; given: SchemaNode; want: string[] }[] = [
    { name: 'structural', given: widget, want: [] },
    {
      name: 'no type at the root',
      given: {},
      want: ['s.type: Required value: must not be empty at the root'],
    },
    {
      name: 'no type of a field',
      given: { type: 'object', properties: { a: {} } },
      want: ['s.properties[a].type: Required value: must not be empty for specified object fields'],
    },
    {
      name: 'unknown type',
      given: { type: 'object', properties: { a: { type: 'text' } } },
      want: [
        's.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    },
    {
      name: 'array without items',
      given: { type: 'object', properties: { a: { type: 'array' } } },
      want: ['s.properties[a].items: Required value: must be specified'],
    },
    {
      name: 'type below anyOf',
      given: { type: 'object', properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } },
      want: ['s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
    },
    {
      name: 'invalid pattern',
      given: { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)' } } },
      want: [
        `s.properties[a].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: invalid or unsupported Perl syntax`,
      ],
    },
    {
      name: 'map list without keys',
      given: {
        type: 'object',
        properties: {
          a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' },
        },
      },
      want: [
        's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    },
    {
      name: 'invalid default',
      given: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
      want: [
        's.properties[a].default: Invalid value: "string": s.properties[a].default in body must be of type integer: "string"',
      ],
    },
    {
      name: 'metadata restricted',
      given: {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      },
      want: [
        's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const errors = checkStructural(given, 's');
      assert.deepEqual(
        errors.map((error) => `${error.field}: ${error.message}`),
        want,
      );
    });
  }
});
