import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { describeFailure, exitCodeOf } from '../error-report.ts';
import { createOutput } from '../output.ts';
import { version } from '../version.ts';
import { runProgram } from './program.ts';

function sink() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

async function run(...argv: string[]) {
  const [stdout, stderr] = [sink(), sink()];
  const output = createOutput(stdout.stream, stderr.stream);
  const environment = {
    variables: {},
    workingDirectory: '/',
    homeDirectory: '/nowhere',
    nodeBinary: process.execPath,
    entryPoint: '',
    userId: 0,
    restartWith: () => undefined,
    interrupted: new AbortController().signal,
  };
  let code: number;
  try {
    code = await runProgram(argv, { output, environment });
  } catch (error) {
    output.problem(describeFailure(error));
    code = exitCodeOf(error);
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

test('version is that of the package, in every form', async () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  assert.equal(version, JSON.parse(text).version);
  assert.match((await run('version')).stdout, new RegExp(`^slipway ${version} \\(Node v`));
  assert.equal((await run('version', '-o', 'short')).stdout, `${version}\n`);
  assert.equal((await run('version', '-o=short', '--rootfs', '/srv')).stdout, `${version}\n`);
  assert.equal(JSON.parse((await run('version', '-o', 'json')).stdout).version, version);
  assert.match(
    (await run('version', '-o', 'yaml')).stdout,
    new RegExp(`^version: ${version}$`, 'm'),
  );
});

test('help lists the commands a user needs, and no others', async () => {
  for (const argv of [[], ['--help'], ['help']]) {
    const { code, stdout, stderr } = await run(...argv);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of ['version', 'up', 'demo', 'machine-config']) {
      assert.match(stdout, new RegExp(`^ +${command}\\b`, 'm'));
    }
    assert.doesNotMatch(stdout, /kubelet-stand-in/);
  }
});

const wrong = [
  { name: 'unknown command', given: ['vresion'], want: /vresion[\s\S]*version/ },
  { name: 'unknown flag', given: ['up', '--node', '3'], want: /--node'[\s\S]*--nodes/ },
  { name: 'not a number', given: ['up', '--port', 'http'], want: /--port.*whole number/ },
  { name: 'out of range', given: ['up', '--nodes', '-1'], want: /--nodes.*0 to 50/ },
  { name: 'no such choice', given: ['up', '--hosts', 'docker'], want: /simulated, nspawn/ },
  { name: 'missing value', given: ['up', '--data'], want: /--data/ },
  { name: 'missing flag', given: ['machine-config', 'daemon'], want: /--node-name/ },
  { name: 'too many words', given: ['version', 'please'], want: /too many arguments/ },
];
for (const { name, given, want } of wrong) {
  test(`refused with 3: ${name}`, async () => {
    const { code, stdout, stderr } = await run(...given);
    assert.equal(code, 3);
    assert.equal(stdout, '');
    assert.match(stderr, want);
    assert.match(stderr, /what to do: .*--help/);
    assert.match(stderr, /code: cli\.usage/);
  });
}

const ownHelp = [
  { given: ['nope'], want: 'slipway' },
  { given: ['config', 'nope'], want: 'slipway config' },
  { given: ['join', '--nope'], want: 'slipway join' },
  { given: ['init', '--dry-run=perhaps'], want: 'slipway init' },
  {
    given: ['config', 'images', 'list', '-o', 'jsonpath={.kind'],
    want: 'slipway config images list',
  },
  { given: ['kubeconfig', 'user'], want: 'slipway kubeconfig user' },
];
for (const { given, want } of ownHelp) {
  test(`the help of its own command is the way out of: ${given.join(' ')}`, async () => {
    const { code, stderr } = await run(...given);
    assert.equal(code, 3);
    assert.ok(stderr.includes(`what to do: see \`${want} --help\`\n`), stderr);
  });
}

const former = [
  { given: ['alpha', 'certs', 'renew', 'all', '--use-api'], want: '`slipway certs`' },
  { given: ['alpha', 'anything'], want: '`slipway init phase`' },
  { given: ['config', 'upload', 'from-file', '--config', 'x'], want: 'upload-config`' },
  { given: ['config', 'view'], want: 'kubectl -n kube-system get configmap kubeadm-config' },
  { given: ['join', 'phase', 'control-plane-join', 'update-status'], want: 'leave it out' },
  { given: ['join', 'a:6443', '--experimental-control-plane'], want: 'use --control-plane' },
  { given: ['init', '--experimental-upload-certs=true'], want: 'use --upload-certs' },
  { given: ['token', 'list', '--experimental-output', 'json'], want: 'use --output' },
  { given: ['join', '--feature-gates', 'A=true'], want: '`slipway init`' },
  { given: ['init', '--skip-preflight-checks'], want: 'use --ignore-preflight-errors=all' },
];
for (const { given, want } of former) {
  test(`what kubeadm once had names its successor: ${given.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run(...given);
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' });
    const [remedy = ''] = /what to do: .*/.exec(stderr) ?? [];
    assert.ok(remedy.includes(want), stderr);
  });
}
