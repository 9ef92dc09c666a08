import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { bareGround } from '../testing/bare-ground.ts';
import { loadPatches } from './load-patches.ts';

const ground = bareGround();
let directories = 0;

/** A directory with these files; what begins with `->` is a link. */
async function load(given: Readonly<Record<string, string>>) {
  directories += 1;
  const directory = `/patches-${directories}`;
  mkdirSync(join(ground.root, directory));
  for (const [name, text] of Object.entries(given)) {
    const path = join(ground.root, directory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith('->')) symlinkSync(text.slice(2), path);
    else writeFileSync(path, text);
  }
  return await loadPatches(ground.files, directory);
}

const patch = 'a: 1\n';

suite('loadPatches', () => {
  test('files are in the order of their names, byte by byte, those of sub-directories at their place', async () => {
    const { patches, ignored } = await load({
      'etcd2.yaml': patch,
      'etcd10.yaml': patch,
      'etcd+merge.yaml': patch,
      'etcd.yaml': patch,
      'etcd-Z.yaml': patch,
      'etcd-a.yaml': patch,
      'etcd1/etcd9.yaml': patch,
    });
    assert.deepEqual(
      patches.map(({ file }) => file.split('/').slice(2).join('/')),
      [
        'etcd+merge.yaml',
        'etcd-Z.yaml',
        'etcd-a.yaml',
        'etcd.yaml',
        'etcd1/etcd9.yaml',
        'etcd10.yaml',
        'etcd2.yaml',
      ],
    );
    assert.deepEqual(ignored, []);
  });

  test('documents of a file, each with its place', async () => {
    const { patches } = await load({ 'etcd.yaml': '# first\na: 1\n---\n---\n\nb: 2\n' });
    assert.deepEqual(
      patches.map(({ content, position }) => ({ content, line: position.line })),
      [
        { content: { a: 1 }, line: 2 },
        { content: { b: 2 }, line: 6 },
      ],
    );
  });

  test('links lead to patches, as in a mounted ConfigMap', async () => {
    const { patches } = await load({
      '..2026/etcd-z.txt': patch,
      '..data': '->..2026',
      'etcd.yaml': '->..data/etcd-z.txt',
    });
    assert.deepEqual(
      patches.map(({ content }) => content),
      [{ a: 1 }],
    );
  });

  test('what is no patch, and what is empty, is told', async () => {
    const { patches, ignored } = await load({
      'README.md': 'x',
      'other.yaml': patch,
      'etcd.yaml': '',
      'etcd1.yaml': '\n# nothing\n',
      'etcd2.yaml': '---\n---\n',
    });
    assert.deepEqual(patches, []);
    assert.equal(ignored.length, 5);
  });

  const refused = [
    { name: 'a kind that there is not', given: { 'etcd+mrege.yaml': patch }, want: /etcd\+mrege/ },
    { name: 'no YAML', given: { 'etcd.yaml': 'a: 1\nb: [\n' }, want: /etcd\.yaml:\d+:\d+: / },
    {
      name: 'a list that is strategic',
      given: { 'etcd.yaml': '- a\n' },
      want: /etcd\.yaml:1:1: .*an object/,
    },
    {
      name: 'an object that is a JSON patch',
      given: { 'etcd+json.yaml': '---\n[]\n---\na: 1\n' },
      want: /etcd\+json\.yaml:4:1: .*a list/,
    },
    { name: 'a link that leads nowhere', given: { 'etcd.yaml': '->gone' }, want: /leads nowhere/ },
    {
      name: 'links in a circle',
      given: { 'etcd.yaml': '->etcd1.yaml', 'etcd1.yaml': '->etcd.yaml' },
      want: /leads nowhere/,
    },
  ];
  for (const { name, given, want } of refused) {
    test(`refused: ${name}`, async () => {
      await assert.rejects(load(given as unknown as Record<string, string>), {
        code: 'bootstrap.patches.malformed',
        message: want,
      });
    });
  }

  for (const [path, want] of [
    ['/nowhere', /does not exist/],
    ['/file', /no directory/],
  ] as const) {
    test(`refused: a directory that is none, ${path}`, async () => {
      writeFileSync(join(ground.root, 'file'), '');
      await assert.rejects(loadPatches(ground.files, path), { message: want });
    });
  }
});
