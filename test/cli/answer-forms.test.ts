import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-answer-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'template'), '{.kind}');

const list = ['config', 'images', 'list', '--kubernetes-version', 'v1.37.2'];

function slipway(argv: readonly string[]) {
  return slipwayInProcess(argv, { workingDirectory: folder });
}

suite('forms of an answer, as kubeadm v1.37.2 gives them', () => {
  const accepted = [
    { given: ['-o', 'jsonpath={.images[0]}'], want: 'registry.k8s.io/kube-apiserver:v1.37.2' },
    {
      given: ['-o=jsonpath-as-json={.kind}', '--show-managed-fields'],
      want: '[\n    "Images"\n]\n',
    },
    { given: ['--output', 'jsonpath-file=template'], want: 'Images' },
    { given: ['-o', 'jsonpath={.nope}'], want: '' },
    { given: ['-o', 'JSONPATH={.kind}'], want: 'Images' },
  ];
  for (const { given, want } of accepted) {
    test(given.join(' '), async () => {
      const { code, stdout, stderr } = await slipway([...list, ...given]);
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: want, stderr: '' });
    });
  }

  const refused = [
    { given: ['-o', 'jsonpath={.nope}', '--allow-missing-template-keys=false'], want: /\.nope/ },
    { given: ['-o', 'jsonpath={.images[99]}'], want: /index 99 is outside of a list/ },
    { given: ['-o', 'jsonpath'], want: /followed by a template/ },
    { given: ['-o', 'jsonpath={.kind'], want: /unclosed action/ },
    { given: ['-o', 'jsonpath-file=/none'], want: /read template \/none/ },
    { given: ['-o', 'go-template={{.kind}}'], want: /Templates of Go .* use jsonpath/ },
    { given: ['-o', 'kyaml'], want: /KYAML .* use yaml/ },
    { given: ['-o', 'name'], want: /must be text, json, yaml, jsonpath=…/ },
  ];
  for (const { given, want } of refused) {
    test(`refused: ${given.join(' ')}`, async () => {
      const { code, stdout, stderr } = await slipway([...list, ...given]);
      assert.deepEqual({ code, stdout }, { code: 3, stdout: '' });
      assert.match(stderr, want);
    });
  }

  test('wherever kubeadm has them', async () => {
    for (const words of [
      ['certs', 'check-expiration'],
      ['token', 'list'],
      ['upgrade', 'plan'],
    ]) {
      const { stdout } = await slipway([...words, '--help']);
      assert.match(stdout, /jsonpath=TEMPLATE[\s\S]*--allow-missing[\s\S]*--show-managed-fields/);
    }
  });
});
