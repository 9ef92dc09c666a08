import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { machineConfig, newDirectory } from '../kit/machine-config.ts';

const ignition =
  '{"ignition": {"version": "2.2.0"}, "storage": {"files": [{"filesystem": "root", "path": "/etc/a", "mode": 384, "contents": {"source": "data:,a"}}]}}';
const withLinks = 'variant: fcos\nversion: 1.5.0\nstorage: {links: [{path: /a, target: /b}]}\n';

suite('convert', () => {
  test('standard input becomes YAML that validates', async () => {
    const argv = ['convert', '-', '--name', '99-infra-a', '--role', 'infra'];
    const { code, stdout, stderr } = await machineConfig(argv, { input: ignition });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^ +mode: 0o600$/m);
    const { metadata } = parseYaml(stdout);
    assert.deepEqual(metadata, {
      name: '99-infra-a',
      labels: { 'machineconfiguration.alauda.io/role': 'infra' },
    });
    const validated = await machineConfig(['validate', '--strict', '-'], { input: stdout });
    assert.equal(validated.code, 0, validated.stdout);
  });

  test('several files become several documents, or one List of JSON', async () => {
    const directory = newDirectory();
    const files = ['a.ign', 'b.bu'].map((name) => join(directory, name));
    writeFileSync(files[0] ?? '', ignition);
    writeFileSync(files[1] ?? '', 'variant: flatcar\nversion: 1.1.0\n');
    const yaml = await machineConfig(['convert', ...files]);
    assert.equal(yaml.code, 0, yaml.stderr);
    const names = parseAllDocuments(yaml.stdout).map((document) => document.toJSON().metadata.name);
    assert.deepEqual(names, ['99-worker-a', '99-worker-b']);
    const json = await machineConfig(['convert', '-o', 'json', ...files]);
    assert.equal(JSON.parse(json.stdout).items.length, 2);
    const one = await machineConfig(['convert', '-o', 'json', files[0] ?? '']);
    assert.equal(JSON.parse(one.stdout).kind, 'MachineConfig');
  });

  test('what is left out is told, and fails with --strict', async () => {
    const argv = ['convert', '--name', 'a', '-'];
    const lax = await machineConfig(argv, { input: withLinks });
    assert.equal(lax.code, 0);
    assert.match(
      lax.stderr,
      /^warning\[machineconfig\.convert\.dropped\]: links has no counterpart/m,
    );
    assert.match(lax.stderr, /<stdin>:3:\d+ {2}storage\.links\[0\]/);
    const strict = await machineConfig([...argv, '--strict'], { input: withLinks });
    assert.deepEqual([strict.code, strict.stdout], [3, '']);
    assert.equal(strict.stderr, lax.stderr);
  });

  const refused = [
    { name: 'no input of its kind', given: ['-', '--from', 'butane'], want: /input-unknown/ },
    { name: 'no name', given: ['-'], want: /name-missing[\s\S]*--name/ },
    { name: 'a role that is none', given: ['-', '--role', 'a b'], want: /cli\.usage/ },
    { name: 'a file that is not there', given: ['not-there.bu'], want: /does not exist/ },
    {
      name: 'a file beside a good one',
      given: ['-', '--name', 'a', 'not-there'],
      want: /not-there/,
    },
    { name: 'no file', given: [], want: /missing required argument/ },
    { name: 'an unknown format', given: ['-', '-o', 'xml'], want: /yaml, json/ },
  ];
  for (const { name, given, want } of refused) {
    test(`refused: ${name}`, async () => {
      const { code, stdout, stderr } = await machineConfig(['convert', ...given], {
        input: ignition,
      });
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, want);
    });
  }
});

suite('local files of a Butane config', () => {
  const directory = newDirectory();
  const files = join(directory, 'files');
  mkdirSync(join(files, 'inner'), { recursive: true });
  writeFileSync(join(files, 'inner/a'), 'hello');
  writeFileSync(join(directory, 'secret'), 'secret');
  symlinkSync('../secret', join(files, 'out'));
  symlinkSync('inner/a', join(files, 'in'));
  symlinkSync('loop', join(files, 'loop'));

  const convert = (local: string) =>
    machineConfig(['convert', '--name', 'a', '--role', 'worker', '--files-dir', files, '-'], {
      input: `variant: fcos\nversion: 1.5.0\nstorage: {files: [{path: /etc/a, contents: {local: ${JSON.stringify(local)}}}]}`,
    });

  for (const local of ['inner/a', './inner/../in']) {
    test(`${local} is embedded`, async () => {
      const { code, stdout, stderr } = await convert(local);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /source: data:,hello$/m);
    });
  }

  const refused = [
    { local: '../secret', want: /outside of the directory/ },
    { local: 'out', want: /outside of the directory/ },
    { local: 'inner/../../secret', want: /outside of the directory/ },
    { local: join(directory, 'secret'), want: /the path is absolute/ },
    { local: 'inner', want: /no regular file/ },
    { local: '', want: /no regular file/ },
    { local: 'loop', want: /local-file/ },
    { local: 'absent', want: /does not exist/ },
    { local: 'a\0b', want: /zero byte/ },
  ];
  for (const { local, want } of refused) {
    test(`refused: ${JSON.stringify(local).replace(directory, '')}`, async () => {
      const { code, stdout, stderr } = await convert(local);
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, want);
      assert.match(stderr, /machineconfig\.convert\.local-file/);
    });
  }
});
