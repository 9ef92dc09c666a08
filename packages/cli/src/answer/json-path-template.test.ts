import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compileJsonPathTemplate } from './json-path-template.ts';

const object = { kind: 'Images', images: ['a:1', 'b:2'], entries: [{ name: 'x', n: 1 }, { n: 2 }] };

suite('compileJsonPathTemplate', () => {
  // Answers of kubeadm v1.37.2 to the same templates.
  const cases = [
    { given: '{.kind}', want: 'Images' },
    { given: 'a{.kind}b', want: 'aImagesb' },
    { given: '{ $.kind }', want: 'Images' },
    { given: '.kind', want: '.kind' },
    { given: '{.images}', want: '["a:1","b:2"]' },
    { given: '{.images[*]}', want: 'a:1 b:2' },
    { given: '{.images[-1]}', want: 'b:2' },
    { given: '{range .images[*]}{@}{"\\n"}{end}.', want: 'a:1\nb:2\n.' },
    { given: "{range .entries[*]}{.name}{'\\t'}{.n}{end}", want: 'x\t1\t2' },
    { given: '{.entries[?(@.n>1)].n}', want: '2' },
    { given: "{['kind','images']}", want: 'Images ["a:1","b:2"]' },
    { given: '{"{"}{.kind}{"}"}', want: '{Images}' },
    { given: '{range .images}{@}{end}', want: '["a:1","b:2"]' },
    { given: '{.nope}', want: '' },
  ];
  for (const { given, want } of cases) {
    test(given, () =>
      assert.equal(compileJsonPathTemplate(given, { keys: false }).text(object), want),
    );
  }

  for (const given of ['{.kind', '{kind}', '{.kind}{end}', '{.images[x]}']) {
    test(`refused: ${given}`, () =>
      assert.throws(() => compileJsonPathTemplate(given, { keys: false }), SyntaxError));
  }

  test('missing keys can be refused; what nothing passes is no missing key', () => {
    const text = (template: string) =>
      compileJsonPathTemplate(template, { keys: true }).text(object);
    assert.throws(() => text('{.nope}'), /nope is not found/);
    assert.throws(() => text('{range .nope[*]}x{end}'), /nope is not found/);
    assert.equal(text('{.entries[?(@.n>9)].n}'), '');
    assert.equal(text('{.entries[*].name}'), 'x');
  });

  test('an index outside of a list is refused, whatever keys may miss', () =>
    assert.throws(
      () => compileJsonPathTemplate('{.images[2]}', { keys: false }).text(object),
      /index 2 is outside of a list of 2/,
    ));

  test('values alone', () => {
    assert.deepEqual(
      compileJsonPathTemplate('a{.kind} {.images[0]}', { keys: false }).values(object),
      [['Images'], ['a:1']],
    );
  });
});
