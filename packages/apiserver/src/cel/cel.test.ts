import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SchemaNode, ValidationRule } from '../schema/schema-node.ts';
import { compileRules } from './compile-rules.ts';
import { expressionLoader } from './expressions.ts';
import { createRuleValidator } from './rule-validator.ts';

const load = expressionLoader();
const expressions = await load();

function ruled(properties: Record<string, SchemaNode>, ...rules: ValidationRule[]): SchemaNode {
  const spec: SchemaNode = { type: 'object', properties, 'x-kubernetes-validations': rules };
  return { type: 'object', properties: { spec } };
}

function judge(schema: SchemaNode, spec: unknown, old?: unknown): string[] {
  const compiled = compileRules(schema, expressions, 's');
  assert.deepEqual(compiled.errors, []);
  const validator = createRuleValidator(schema, compiled, expressions.times);
  const errors = validator.validate({ spec }, old === undefined ? undefined : { spec: old });
  return errors.map((error) => `${error.field}: ${error.message}`);
}

const fields: Record<string, SchemaNode> = {
  a: { type: 'integer' },
  b: { type: 'integer' },
  ratio: { type: 'number' },
  name: { type: 'string' },
  'max-size': { type: 'string' },
  namespace: { type: 'string' },
  when: { type: 'string', format: 'date-time' },
  limit: { 'x-kubernetes-int-or-string': true },
  list: { type: 'array', items: { type: 'integer' } },
  names: { type: 'array', items: { type: 'string' } },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
};

suite('cel: rules', () => {
  const cases: { rule: string; given: unknown; want: boolean }[] = [
    { rule: 'self.a >= self.b', given: { a: 2, b: 1 }, want: true },
    { rule: 'self.a >= self.b', given: { a: 0, b: 1 }, want: false },
    { rule: 'self.ratio > 1.5 && self.ratio > 1', given: { ratio: 2 }, want: true },
    { rule: "has(self.name) ? self.name == 'x' : true", given: {}, want: true },
    { rule: "self.name.matches('^[a-z]+$')", given: { name: 'ab1' }, want: false },
    { rule: "self.max__dash__size == '1'", given: { 'max-size': '1' }, want: true },
    { rule: "self.__namespace__ == 'n'", given: { namespace: 'n' }, want: true },
    {
      rule: "self.when < timestamp('2026-01-01T00:00:00Z')",
      given: { when: '2025-01-01T00:00:00Z' },
      want: true,
    },
    {
      rule: "type(self.limit) == int ? self.limit <= 3 : self.limit.endsWith('%')",
      given: { limit: '5%' },
      want: true,
    },
    {
      rule: 'self.list.sum() == 6 && self.list.min() == 1 && self.list.max() == 3',
      given: { list: [1, 2, 3] },
      want: true,
    },
    { rule: 'self.list.isSorted()', given: { list: [2, 1] }, want: false },
    { rule: "self.names.indexOf('b') == 1", given: { names: ['a', 'b'] }, want: true },
    {
      rule: "self.names.exists_one(n, n.startsWith('a'))",
      given: { names: ['ab', 'ac'] },
      want: false,
    },
    {
      rule: 'self.names.all(x, self.names.exists_one(y, x == y))',
      given: { names: ['a', 'b'] },
      want: true,
    },
    {
      rule: "self.names.map(n, n.upperAscii()).join(',') == 'A,B'",
      given: { names: ['a', 'b'] },
      want: true,
    },
    {
      rule: "self.labels.all(k, k.size() < 3 && self.labels[k] == 'v')",
      given: { labels: { ab: 'v' } },
      want: true,
    },
    { rule: "'x' in self.labels", given: { labels: {} }, want: false },
    {
      rule: "isURL(self.name) && url(self.name).getHostname() == 'h'",
      given: { name: 'https://h:1/p' },
      want: true,
    },
    {
      rule: "self.name.find('[0-9]+') == '12' && self.name.findAll('[0-9]').size() == 2",
      given: { name: 'a12' },
      want: true,
    },
    {
      rule: "quantity(self.name).isGreaterThan(quantity('1Gi'))",
      given: { name: '1.5Gi' },
      want: true,
    },
    { rule: 'isIP(self.name) && !isCIDR(self.name)', given: { name: '10.0.0.1' }, want: true },
    { rule: "sets.contains(self.names, ['a'])", given: { names: ['a', 'b'] }, want: true },
  ];
  for (const { rule, given, want } of cases) {
    test(`${rule} over ${JSON.stringify(given)}`, () => {
      const errors = judge(ruled(fields, { rule, message: 'no' }), given);
      assert.deepEqual(errors, want ? [] : ['spec: Invalid value: "object": no']);
    });
  }

  test('metadata.name is readable at the root', () => {
    const root: SchemaNode = {
      type: 'object',
      'x-kubernetes-validations': [{ rule: "self.metadata.name == 'cluster'" }],
    };
    const compiled = compileRules(root, expressions, 's');
    const validator = createRuleValidator(root, compiled, expressions.times);
    assert.deepEqual(validator.validate({ metadata: { name: 'cluster' } }), []);
    assert.deepEqual(
      validator.validate({ metadata: { name: 'x' } }).map((error) => error.message),
      [`Invalid value: "object": failed rule: self.metadata.name == 'cluster'`],
    );
  });

  test('message expressions, reasons and field paths', () => {
    const schema = ruled(fields, {
      rule: 'self.a > 1',
      messageExpression: "'a is ' + string(self.a)",
      reason: 'FieldValueForbidden',
      fieldPath: '.a',
    });
    assert.deepEqual(judge(schema, { a: 1 }), ['spec.a: Forbidden: a is 1']);
  });

  test('an evaluation error refuses', () => {
    const schema = ruled(fields, { rule: 'self.a > 1', message: 'no' });
    assert.match(
      judge(schema, {})[0] ?? '',
      /^spec: Invalid value: "object": rule evaluation error: .*: no$/,
    );
  });

  test('transition rules see the old value, through map lists by key', () => {
    const item: SchemaNode = {
      type: 'object',
      required: ['k'],
      properties: {
        k: { type: 'string' },
        n: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'backwards' }],
        },
      },
    };
    const schema = ruled({
      items: {
        type: 'array',
        items: item,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    });
    const before = {
      items: [
        { k: 'a', n: 5 },
        { k: 'b', n: 1 },
      ],
    };
    assert.deepEqual(
      judge(
        schema,
        {
          items: [
            { k: 'b', n: 0 },
            { k: 'a', n: 6 },
            { k: 'c', n: 0 },
          ],
        },
        before,
      ),
      ['spec.items[0].n: Invalid value: "integer": backwards'],
    );
    assert.deepEqual(judge(schema, { items: [{ k: 'a', n: 0 }] }), []);
  });

  test('loops within loops over a large value are refused, not run', () => {
    const schema = ruled(fields, { rule: 'self.names.all(x, self.names.exists_one(y, x == y))' });
    const names = Array.from({ length: 1001 }, (_, index) => `n${index}`);
    assert.match(judge(schema, { names })[0] ?? '', /call cost exceeds limit for rule/);
    assert.deepEqual(judge(schema, { names: names.slice(0, 30) }), []);
  });

  test('an unchanged value is not judged again', () => {
    const schema = ruled(fields, { rule: 'self.a > 1' });
    assert.deepEqual(judge(schema, { a: 0 }, { a: 0 }), []);
    assert.equal(judge(schema, { a: 1 }, { a: 0 }).length, 1);
  });
});

suite('cel: compile errors', () => {
  const cases = [
    { rule: 'self.nope == 1', want: /undefined field 'nope'/ },
    { rule: 'self.a ==', want: /Syntax error/ },
    { rule: 'self.a', want: /must evaluate to bool/ },
    {
      rule: "self.a == 'x'",
      want: /found no matching overload for '_==_' applied to '\(int, string\)'/,
    },
    { rule: 'zork(self.a)', want: /undeclared reference to 'zork'/ },
    { rule: "self.name.format.named('x')", want: /does not support field selection/ },
    { rule: 'optional.of(self.a).hasValue()', want: /undeclared reference to 'optional\.of'/ },
    { rule: 'other.a == 1', want: /undeclared reference to 'other'/ },
    { rule: 'self.names.all(n, n.foo == 1)', want: /does not support field selection/ },
    { rule: 'self.a.size() == 1', want: /found no matching overload for 'size'/ },
  ];
  for (const { rule, want } of cases) {
    test(rule, () => {
      const { errors } = compileRules(ruled(fields, { rule }), expressions, 's');
      assert.equal(errors.length, 1);
      assert.equal(errors[0]?.field, 's.properties[spec].x-kubernetes-validations[0].rule');
      assert.match(errors[0]?.message ?? '', want);
    });
  }

  test('the place is shown', () => {
    const { errors } = compileRules(
      ruled(fields, { rule: 'true &&\n self.nope' }),
      expressions,
      's',
    );
    assert.match(
      errors[0]?.message ?? '',
      /ERROR: <input>:2:6: undefined field 'nope'\n \| {2}self\.nope\n \| \.{5}\^/,
    );
  });

  test('oldSelf in an atomic list is refused', () => {
    const schema = ruled({
      items: {
        type: 'array',
        items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      },
    });
    const { errors } = compileRules(schema, expressions, 's');
    assert.match(errors[0]?.message ?? '', /oldSelf cannot be used on the uncorrelatable portion/);
  });
});
