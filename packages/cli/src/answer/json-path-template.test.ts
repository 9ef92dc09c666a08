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
    { given: '{.nope}', want: '' },
  ];
  for (const { given, want } of cases) {
    test(given, () => assert.equal(compileJsonPathTemplate(given).text(object, true), want));
  }

  for (const given of ['{.kind', '{kind}', '{.kind}{end}', '{.images[x]}']) {
    test(`refused: ${given}`, () =>
      assert.throws(() => compileJsonPathTemplate(given), SyntaxError));
  }

  test('missing keys can be refused; what nothing passes is no missing key', () => {
    const text = (template: string) => compileJsonPathTemplate(template).text(object, false);
    assert.throws(() => text('{.nope}'), /\.nope is not found/);
    assert.equal(text('{.entries[?(@.n>9)].n}'), '');
  });

  test('values alone', () => {
    assert.deepEqual(compileJsonPathTemplate('a{.kind} {.images[0]}').values(object), [
      ['Images'],
      ['a:1'],
    ]);
  });
});
