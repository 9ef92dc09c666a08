import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { formatYaml, renderIssue } from '@slipway/ignition';
import { readText } from '../document/read-text.ts';
import { convertTexts } from './convert-texts.ts';

const folder = new URL('../../testdata/convert/', import.meta.url);
const inputs = readdirSync(folder).filter((name) => /\.in\.(?:yaml|json)$/.test(name));

const localFiles: Readonly<Record<string, string>> = {
  'units/etcd.service': '[Unit]\nDescription=etcd\n',
};

function convert(file: string, text: string) {
  return convertTexts([{ file, text }], {
    identity: { name: '99-worker-golden' },
    readLocal: (path) => {
      const found = localFiles[path];
      return found === undefined
        ? { fault: 'it does not exist' }
        : { bytes: new TextEncoder().encode(found) };
    },
  });
}

function yamlOf(objects: ReturnType<typeof convert>['objects']): string {
  return objects.map((object) => formatYaml(object)).join('---\n');
}

suite('what becomes of inputs, and what is told about it', () => {
  for (const name of inputs) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const { objects, texts } = convert(name, text);

    test(name, () => {
      const told = texts.flatMap(({ issues }) =>
        issues.map((issue) => renderIssue(issue, text, { fileName: name })),
      );
      const got = `${yamlOf(objects)}===\n${told.join('\n')}`;
      const golden = new URL(name.replace(/in\.\w+$/, 'out.txt'), folder);
      if (process.env['SLIPWAY_GOLDEN'] === 'write') writeFileSync(golden, got);
      assert.equal(got, readFileSync(golden, 'utf8'), 'run npm run golden');
    });

    test(`${name}: what comes out is valid, and converting it again changes nothing`, () => {
      assert.ok(objects.length > 0);
      const yaml = yamlOf(objects);
      const { issues } = readText(yaml);
      assert.deepEqual(
        issues.filter(({ severity }) => severity === 'error'),
        [],
      );
      const again = convert('again.yaml', yaml);
      assert.equal(yamlOf(again.objects), yaml);
      assert.equal(again.hasDropped, false);
      for (const object of objects) {
        const json = convert('again.json', JSON.stringify(object));
        assert.deepEqual(json.objects, [object]);
      }
    });
  }
});
