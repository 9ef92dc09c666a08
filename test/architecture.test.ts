import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { suite, test } from 'node:test';
import {
  bannedWords,
  covered,
  fieldNames,
  fileLines,
  type Layer,
  layers,
  pureFile,
  soleWriters,
} from '../tools/layers.ts';

const root = resolve(import.meta.dirname, '..');
const importLike =
  /(?:^|[;\s])(?:import|export)\b(?:[^'"();=]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function sources(): string[] {
  return globSync('{packages/*/src,test,tools}/**/*.{ts,tsx,go}', { cwd: root })
    .filter((file) => !/\/(?:testdata|generated|node_modules)\//.test(file))
    .sort();
}

function isTest(file: string): boolean {
  return /\.(?:test|host-test|bench)\.ts$/.test(file) || /\/(?:testkit|testdata)\//.test(file);
}

function read(file: string): string {
  return readFileSync(resolve(root, file), 'utf8');
}

function specifiersOf(file: string): string[] {
  return [...read(file).matchAll(importLike)].map((match) => match[1] ?? match[2] ?? '');
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

function strayReason(
  room: string,
  layer: Layer,
  file: string,
  specifier: string,
): string | undefined {
  if (specifier.startsWith('.')) {
    const inside = relative(
      `packages/${room}/src`,
      resolve(root, dirname(file), specifier).slice(root.length + 1),
    );
    if (inside.startsWith('..')) return 'leaves its room by path';
    return specifier.startsWith('../../../') ? 'climbs more than two levels' : undefined;
  }
  if (specifier.startsWith('node:')) {
    return layer.browserSafe && !isTest(file) ? 'needs Node in a browser-safe room' : undefined;
  }
  const target = packageOf(specifier);
  if (target.startsWith('@slipway/')) {
    if (specifier !== target) return 'goes past a door';
    if (target === `@slipway/${room}`) return 'imports its own door';
    return layer.imports.includes(target.slice('@slipway/'.length)) || isTest(file)
      ? undefined
      : 'imports a room above or beside it';
  }
  return layer.thirdParty.includes(target) || isTest(file)
    ? undefined
    : 'third-party package without a row';
}

suite('architecture', () => {
  const rooms = globSync('packages/*/package.json', { cwd: root }).map(
    (file) => dirname(file).split('/')[1] ?? '',
  );

  test('every room has a row and every row a room', () => {
    assert.deepEqual(new Set(rooms), new Set(Object.keys(layers)));
  });

  for (const room of rooms) {
    const layer = layers[room];
    if (layer === undefined) continue;

    test(`${room} declares only what its row allows`, () => {
      const { dependencies = {} } = JSON.parse(read(`packages/${room}/package.json`));
      const allowed = [...layer.imports.map((name) => `@slipway/${name}`), ...layer.thirdParty];
      assert.deepEqual(
        Object.keys(dependencies).filter((name) => !allowed.includes(name)),
        [],
      );
    });

    test(`${room} imports only what its row allows, through doors`, () => {
      const strays = sources()
        .filter((file) => file.startsWith(`packages/${room}/src/`))
        .flatMap((file) =>
          specifiersOf(file).flatMap((specifier) => {
            const reason = strayReason(room, layer, file, specifier);
            return reason === undefined ? [] : [`${file}: ${specifier}: ${reason}`];
          }),
        );
      assert.deepEqual(strays, []);
    });
  }

  test('every source file is covered by a rule', () => {
    assert.deepEqual(
      sources().filter((file) => !covered.some((pattern) => pattern.test(file))),
      [],
    );
  });

  test('no file is named after nothing', () => {
    const words = new Set(bannedWords);
    assert.deepEqual(
      sources().filter((file) =>
        file
          .replaceAll(fieldNames, '')
          .split(/[/.-]/)
          .some((word) => words.has(word)),
      ),
      [],
    );
  });

  test('no exported thing is named after nothing', () => {
    const exported = /^export (?:async )?(?:function|class|const|type|interface) (\w+)/gm;
    const words = new Set(bannedWords);
    const named = sources().flatMap((file) =>
      [...read(file).matchAll(exported)]
        .map((match) => match[1] ?? '')
        .filter((name) =>
          name
            .replaceAll(fieldNames, '')
            .split(/(?=[A-Z])/)
            .some((word) => words.has(word.toLowerCase())),
        )
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(named, []);
  });

  test(`no file is longer than ${fileLines.refuse} lines`, (t) => {
    const sizes = sources()
      .filter((file) => !isTest(file) && file.endsWith('.ts'))
      .map((file) => ({ file, lines: read(file).split('\n').length - 1 }));
    for (const { file, lines } of sizes) {
      if (lines > fileLines.report) t.diagnostic(`${file}: ${lines} lines`);
    }
    assert.deepEqual(
      sizes.filter(({ lines }) => lines > fileLines.refuse),
      [],
    );
  });

  test('files that decide touch nothing', () => {
    const impure = sources()
      .filter((file) => pureFile.test(file) && file.startsWith('packages/'))
      .flatMap((file) =>
        specifiersOf(file)
          .filter(
            (specifier) =>
              specifier.startsWith('node:') || /^@slipway\/(?:kube|host)$/.test(specifier),
          )
          .map((specifier) => `${file}: ${specifier}`),
      )
      .filter((line) => !isTypeOnly(line));
    assert.deepEqual(impure, []);
  });

  for (const { what, pattern, allowed } of soleWriters) {
    test(`one place for ${what}`, () => {
      const elsewhere = sources().filter(
        (file) =>
          file.startsWith('packages/') &&
          !isTest(file) &&
          !allowed.test(file) &&
          pattern.test(read(file)),
      );
      assert.deepEqual(elsewhere, []);
    });
  }

  test('the lock file carries no download addresses', () => {
    assert.equal(read('package-lock.json').includes('"resolved": "http'), false);
  });

  test('no tracked file names a machine path', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
    // Folders that every machine has say nothing about this one: there, the checkout's own path is looked for.
    const everywhere = new Set(['/', '/tmp', '/var/tmp', '/root', '/home', '/opt', '/srv']);
    const checkout = `${everywhere.has(dirname(root)) ? root : dirname(root)}/`;
    const named = tracked
      .split('\0')
      .filter((file) => file !== '' && file !== 'package-lock.json')
      .filter((file) => readFileSync(resolve(root, file)).includes(checkout));
    assert.deepEqual(named, []);
  });
});

/** A pure file may name types of the rooms it serves: `import type` leaves nothing at run time. */
function isTypeOnly(line: string): boolean {
  const [file = '', specifier = ''] = line.split(': ');
  const statement = new RegExp(`import type [^;]*['"]${specifier.replace(/[/.]/g, '\\$&')}['"]`);
  return statement.test(read(file));
}
