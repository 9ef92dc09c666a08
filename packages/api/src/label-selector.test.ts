import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSelector, matchesLabels, validateSelector } from './label-selector.ts';
import type { LabelSelector } from './object-meta.ts';

const labels = { app: 'web', tier: 'front', empty: '' };

test('matching and formatting', () => {
  const table: { name: string; given: LabelSelector; text: string; want: boolean }[] = [
    { name: 'empty', given: {}, text: '', want: true },
    { name: 'label', given: { matchLabels: { app: 'web' } }, text: 'app=web', want: true },
    { name: 'other value', given: { matchLabels: { app: 'x' } }, text: 'app=x', want: false },
    { name: 'empty value', given: { matchLabels: { empty: '' } }, text: 'empty=', want: true },
    { name: 'empty is not absent', given: { matchLabels: { no: '' } }, text: 'no=', want: false },
    {
      name: 'inherited',
      given: { matchExpressions: [{ key: 'toString', operator: 'Exists' }] },
      text: 'toString',
      want: false,
    },
    {
      name: 'in',
      given: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }] },
      text: 'tier in (back,front)',
      want: true,
    },
    {
      name: 'in, absent',
      given: { matchExpressions: [{ key: 'no', operator: 'In', values: ['x'] }] },
      text: 'no in (x)',
      want: false,
    },
    {
      name: 'not in',
      given: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] },
      text: 'tier notin (front)',
      want: false,
    },
    {
      name: 'not in, absent',
      given: { matchExpressions: [{ key: 'no', operator: 'NotIn', values: ['x'] }] },
      text: 'no notin (x)',
      want: true,
    },
    {
      name: 'exists',
      given: { matchExpressions: [{ key: 'empty', operator: 'Exists' }] },
      text: 'empty',
      want: true,
    },
    {
      name: 'does not exist',
      given: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] },
      text: '!app',
      want: false,
    },
    {
      name: 'all must hold',
      given: {
        matchLabels: { tier: 'front', app: 'web' },
        matchExpressions: [{ key: 'no', operator: 'Exists' }],
      },
      text: 'app=web,no,tier=front',
      want: false,
    },
  ];
  for (const { name, given, text, want } of table) {
    assert.equal(matchesLabels(given, labels), want, name);
    assert.equal(formatSelector(given), text, name);
    assert.deepEqual(validateSelector(given, 'spec'), [], name);
  }
  assert.equal(matchesLabels(undefined, labels), false);
  assert.equal(matchesLabels({}, undefined), true);
});

test('what is refused', () => {
  const unknown = JSON.parse('{"key": "a", "operator": "Like", "values": ["x"]}');
  const selector: LabelSelector = {
    matchLabels: { 'bad key': 'x', good: 'bad value' },
    matchExpressions: [
      unknown,
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['x'] },
      { key: 'example.com/a', operator: 'NotIn', values: ['-'] },
    ],
  };
  assert.deepEqual(
    validateSelector(selector, 'spec.nodeSelector').map(({ code, path }) => [code, path]),
    [
      ['api.selector.key-invalid', 'spec.nodeSelector.matchLabels[bad key]'],
      ['api.selector.value-invalid', 'spec.nodeSelector.matchLabels[good]'],
      ['api.selector.operator-unknown', 'spec.nodeSelector.matchExpressions[0].operator'],
      ['api.selector.values-missing', 'spec.nodeSelector.matchExpressions[1].values'],
      ['api.selector.values-forbidden', 'spec.nodeSelector.matchExpressions[2].values'],
      ['api.selector.value-invalid', 'spec.nodeSelector.matchExpressions[3].values[0]'],
    ],
  );
  assert.equal(matchesLabels({ matchExpressions: [unknown] }, { a: 'x' }), false);
});
