import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { configFile, example, machineConfig, newDirectory } from '../kit/machine-config.ts';
import { runProgram } from '../kit/run-program.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';

const ignition = { version: '3.4.0' };
const withFiles = (...files: readonly object[]) => ({ config: { ignition, storage: { files } } });
const mistakes = readFileSync(new URL('testdata/mistakes.yaml', import.meta.url), 'utf8');
const escapeCharacter = String.fromCharCode(27);

suite('validate', () => {
  test('mistakes are told with place, caret, reason and fix', async () => {
    const { code, stdout, stderr } = await machineConfig(['validate', '-'], { input: mistakes });
    assert.equal(code, 3);
    assert.equal(stderr, '');
    const golden = new URL('testdata/mistakes.txt', import.meta.url);
    if (process.env['SLIPWAY_GOLDEN'] === 'write') writeFileSync(golden, stdout);
    assert.equal(stdout, readFileSync(golden, 'utf8'));
  });

  test('JSON is one document, with the same findings', async () => {
    const { code, stdout, stderr } = await machineConfig(['validate', '-o', 'json', '-'], {
      input: mistakes,
    });
    assert.equal(code, 3);
    assert.equal(stderr, '');
    const { files, ...others } = JSON.parse(stdout);
    assert.deepEqual(others, {});
    assert.equal(files.length, 1);
    const [{ file, ok, findings, ...more }] = files;
    assert.deepEqual([file, ok, more], ['-', false, {}]);
    const members = ['code', 'severity', 'path', 'line', 'column', 'message', 'hint'];
    for (const finding of findings) {
      assert.deepEqual(
        Object.keys(finding).filter((key) => !members.includes(key)),
        [],
      );
      for (const key of ['line', 'column']) assert.ok(finding[key] > 0, JSON.stringify(finding));
    }
    const text = readFileSync(new URL('testdata/mistakes.txt', import.meta.url), 'utf8');
    for (const { code: found, line, column } of findings) {
      assert.ok(text.includes(`[${found}]`));
      assert.ok(text.includes(`<stdin>:${line}:${column}`));
    }
  });

  test('warnings pass, but not with --strict', async () => {
    const file = example('99-worker-ssh-user-alias.yaml');
    assert.equal((await machineConfig(['validate', file])).code, 0);
    const strict = await machineConfig(['validate', '--strict', '-o', 'json', file]);
    assert.equal(strict.code, 3);
    assert.equal(JSON.parse(strict.stdout).files[0].ok, false);
  });

  test('a file that cannot be read does not hide the others', async () => {
    const good = example('99-worker-chrony.yaml');
    const { code, stdout } = await machineConfig(['validate', '-o', 'json', '/nowhere.yaml', good]);
    assert.equal(code, 3);
    const { files } = JSON.parse(stdout);
    assert.deepEqual(
      files.map(({ ok }: { ok: boolean }) => ok),
      [false, true],
    );
    assert.equal(files[0].findings[0].code, 'machineconfig.text.unreadable');
  });

  test('a file that is not UTF-8 is refused', async () => {
    const file = join(newDirectory(), 'latin1.yaml');
    writeFileSync(file, Buffer.from('kind: MachineConfig\n# \xe9\n', 'latin1'));
    const { code, stdout } = await machineConfig(['validate', file]);
    assert.equal(code, 3);
    assert.match(stdout, /machineconfig\.text\.encoding/);
  });
});

suite('render', () => {
  const low = configFile('10-low', withFiles({ path: '/etc/a', contents: { source: 'data:,1' } }));
  const high = configFile(
    '20-high',
    withFiles({ path: '/etc/a', contents: { source: 'data:,2' } }),
  );

  test('what is printed can be rendered, validated and compared again', async () => {
    for (const format of ['yaml', 'json']) {
      const rendered = await machineConfig(['render', '--pool', 'worker', '-o', format, high, low]);
      assert.equal(rendered.code, 0, rendered.stderr);
      const again = await machineConfig(['validate', '--strict', '-'], { input: rendered.stdout });
      assert.equal(again.code, 0, again.stdout);
      const same = await machineConfig(['diff', '-', high], { input: rendered.stdout });
      assert.deepEqual([same.code, same.stdout], [0, '']);
    }
  });

  test('--explain tells who won, and where it is written', async () => {
    const { code, stdout, stderr } = await machineConfig([
      'render',
      '--pool',
      'worker',
      '--explain',
      low,
      high,
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /^apiVersion: /);
    assert.match(
      stderr,
      /storage\.files\["\/etc\/a"\]\.contents: 20-high \(.*20-high\.json:19:25\), which overrides 10-low \(.*10-low\.json:19:25\)/,
    );
  });

  test('--from-dir takes what kubectl would', async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'a.yaml'), readFileSync(low));
    writeFileSync(join(directory, 'notes.txt'), 'none of it');
    const { code, stdout } = await machineConfig([
      'render',
      '--pool',
      'worker',
      '--from-dir',
      directory,
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /path: \/etc\/a/);
  });

  test('what does not go together is refused, and told where', async () => {
    const inside = configFile('30-in', withFiles({ path: '/etc/a/b' }));
    const { code, stdout, stderr } = await machineConfig([
      'render',
      '--pool',
      'worker',
      low,
      inside,
    ]);
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /--> .*(10-low|30-in)\.json:\d+:\d+/);
  });
});

suite('diff', () => {
  const one = configFile(
    '10-a',
    withFiles(
      { path: '/etc/a', contents: { source: 'data:,one%0Atwo%0A' } },
      { path: '/etc/b', mode: 0o600, contents: { source: 'data:,hunter1' } },
    ),
  );
  const two = configFile(
    '10-a',
    withFiles(
      { path: '/etc/a', contents: { source: 'data:,one%0A2%1B%5B31m%0A' } },
      { path: '/etc/b', mode: 0o600, contents: { source: 'data:,hunter2' } },
    ),
  );

  test('exit code 1, decoded, secrets masked, no colours in a pipe', async () => {
    const { code, stdout } = await machineConfig(['diff', one, two]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^--- before\/etc\/a\n\+\+\+ after\/etc\/a\n@@ -1,2 \+1,2 @@\n one\n-two\n/m,
    );
    assert.match(stdout, /file \/etc\/b \(changed: contents\)\ncontents are masked/);
    assert.doesNotMatch(stdout, /hunter/);
    assert.ok(!stdout.includes(`${escapeCharacter}[32m`));
    const shown = await machineConfig(['diff', '--show-secrets', one, two]);
    assert.match(shown.stdout, /-hunter1\n\\ No newline at end of file\n\+hunter2/);
  });

  test('what is masked in one is masked in the other', async () => {
    const { code, stdout } = await machineConfig(['diff', one, one]);
    assert.deepEqual([code, stdout], [0, '']);
  });

  const script = ['script', '-qec'];
  const probe = spawnSync('script', [...script.slice(1), 'true', '/dev/null']);
  const withoutScript = probe.status === 0 ? false : 'script cannot make a terminal here';
  const onTerminal = (env: Readonly<Record<string, string>>) => {
    const command = [process.execPath, slipwayProgram, 'mc', 'diff', one, two].join(' ');
    return runProgram([...script, command, '/dev/null'], { env });
  };
  test('colours on a terminal, and contents do not steer it', { skip: withoutScript }, async () => {
    const { stdout } = await onTerminal({ NO_COLOR: '' });
    assert.ok(stdout.includes(`${escapeCharacter}[32m+2\uFFFD[31m${escapeCharacter}[0m`), stdout);
    const plain = await onTerminal({ NO_COLOR: '1' });
    assert.ok(!plain.stdout.includes(`${escapeCharacter}[`), plain.stdout);
  });
});

suite('plan', () => {
  const empty = configFile('00-a', { config: { ignition } });
  const desired = configFile('10-a', {
    ...withFiles({ path: '/etc/motd', contents: { source: 'data:,x' } }),
    kernelArguments: ['quiet'],
  });

  test('each change, then all together', async () => {
    const { code, stdout } = await machineConfig([
      'plan',
      '--current',
      empty,
      '--desired',
      desired,
    ]);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `file /etc/motd (added)
  actions: none (default for files)
  drain: no
  reboot: no
  reconcilable: yes
kernel arguments (changed)
  actions: Reboot (kernel arguments need a reboot)
  drain: yes
  reboot: yes
  reconcilable: yes
all together:
  actions: Reboot
  drain: yes
  reboot: yes
  reconcilable: yes
`,
    );
  });

  test('a host that cannot get there: why, and exit code 3', async () => {
    const { code, stdout } = await machineConfig([
      'plan',
      '--no-boot-loader',
      '--current',
      empty,
      '--desired',
      desired,
      '-o',
      'json',
    ]);
    assert.equal(code, 3);
    const { reconcilable, reasons, changes } = JSON.parse(stdout);
    assert.equal(reconcilable, false);
    assert.match(reasons[0], /no boot loader/);
    assert.deepEqual(
      changes.map((change: { reconcilable: boolean }) => change.reconcilable),
      [true, false],
    );
  });

  test('inert files are warned of where they are written', async () => {
    const inert = configFile('10-a', withFiles({ path: '/etc/motd' }));
    const { code, stdout } = await machineConfig(['plan', '--current', empty, '--desired', inert]);
    assert.equal(code, 0);
    assert.match(stdout, /warning\[disruption\.file\.inert\].*\n +--> .*10-a\.json:17:11/);
  });

  test('no change, no action', async () => {
    const { code, stdout } = await machineConfig(['plan', '--current', empty, '--desired', empty]);
    assert.deepEqual([code, stdout], [0, 'nothing changes: no action, no drain, no reboot\n']);
  });
});

suite('explain', () => {
  test('a code of Ignition, and one of ours', async () => {
    const mode = await machineConfig(['explain', 'mode-special-bits']);
    assert.equal(mode.code, 0);
    assert.match(mode.stdout, /^ignition\.mode-special-bits \(error[\s\S]+\nFix: /);
    const inert = await machineConfig(['explain', 'disruption.file.inert']);
    assert.match(inert.stdout, /^disruption\.file\.inert \(warning/);
  });
});

suite('bad usage is answered precisely, with 3', () => {
  const chrony = example('99-worker-chrony.yaml');
  const policy = example('00-policy.yaml');
  const rows = [
    { given: ['validate'], want: /file/ },
    { given: ['validate', '-', '-'], want: /- is given twice/ },
    { given: ['validate', '-o', 'xml', chrony], want: /text, json/ },
    { given: ['render', chrony], want: /--pool/ },
    { given: ['render', '--pool', 'worker'], want: /give files, or a directory/ },
    { given: ['render', '--pool', 'worker', '--from-dir', '/etc', chrony], want: /not both/ },
    { given: ['render', '--pool', 'Worker', chrony], want: /"Worker" is no name of a pool/ },
    { given: ['render', '--pool', 'worker', '--from-dir', '/nowhere'], want: /does not exist/ },
    {
      given: ['render', '--pool', 'worker', chrony, chrony],
      want: /a second MachineConfig 99-worker-chrony/,
    },
    { given: ['diff', chrony], want: /after/ },
    { given: ['diff', chrony, policy], want: /00-policy\.yaml: it has no configuration/ },
    { given: ['diff', chrony, '/nowhere'], want: /it does not exist/ },
    { given: ['plan', '--current', chrony], want: /--desired/ },
    {
      given: ['plan', '--current', chrony, '--desired', chrony, '--policy', chrony],
      want: /no MachineConfiguration/,
    },
    { given: ['extract', chrony], want: /--to/ },
    { given: ['explain', 'mode-specal'], want: /did you mean ignition\.mode-special-bits\?/ },
    { given: ['vallidate', chrony], want: /validate/ },
  ];
  for (const { given, want } of rows)
    test(given.map((word) => word.split('/').at(-1)).join(' '), async () => {
      const { code, stdout, stderr } = await machineConfig(given);
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, want);
    });

  test('help of every verb says what the exit codes are, or gives an example', async () => {
    for (const verb of ['validate', 'render', 'diff', 'plan', 'extract', 'explain']) {
      const { code, stdout } = await machineConfig([verb, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, /Examples?:\n {2}(?:slipway|kubectl)/);
    }
  });
});
