import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { runProgram } from '../kit/run-program.ts';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-findings-'));
after(() => rmSync(root, { recursive: true }));
const file = join(root, 'bad.yaml');

const document = (kind: string, rest: string) =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n${rest}`;
const registration = 'nodeRegistration:\n  name: UPPER_case\n';

suite('a finding names file, line and column, whatever the command', () => {
  const cases = [
    { argv: ['init', '--dry-run'], text: document('InitConfiguration', registration), at: '4:3' },
    {
      argv: ['init', 'phase', 'certs', 'all'],
      text: document('InitConfiguration', registration),
      at: '4:3',
    },
    { argv: ['join', '--dry-run'], text: document('JoinConfiguration', registration), at: '4:3' },
    {
      argv: ['reset', '--dry-run'],
      text: document('ResetConfiguration', 'force: 7\n'),
      at: '3:1',
    },
    {
      argv: ['config', 'images', 'list'],
      text: document('ClusterConfiguration', 'kubernetesVersion: [v1]\n'),
      at: '3:1',
    },
    {
      argv: ['certs', 'renew', 'all'],
      text: document('ClusterConfiguration', 'networking: 1\n'),
      at: '3:1',
    },
  ];
  for (const { argv, text, at } of cases) {
    test(argv.join(' '), async () => {
      writeFileSync(file, text);
      const { code, stderr } = await slipwayInProcess([
        ...argv,
        ...['--rootfs', root, '--config', file],
      ]);
      assert.equal(code, 3);
      assert.ok(stderr.includes(`${file}:${at}: error: `), stderr);
      assert.ok(stderr.includes(`error: read ${file}: it is refused`), stderr);
    });
  }
});

suite('what standard input has is named <stdin>', () => {
  const cases = [
    { argv: ['config', 'validate', '--config', '-'], refusal: '' },
    { argv: ['config', 'migrate', '--old-config', '-'], refusal: 'migrate <stdin>: it is refused' },
    { argv: ['config', 'images', 'list', '--config', '-'], refusal: 'read <stdin>: it is refused' },
  ];
  for (const { argv, refusal } of cases) {
    test(argv.join(' '), async () => {
      const input = document('InitConfiguration', registration);
      const { code, stderr } = await runProgram([process.execPath, slipwayProgram, ...argv], {
        input,
      });
      assert.equal(code, 3);
      assert.match(stderr, /^<stdin>:4:3: error: /);
      assert.ok(stderr.includes(refusal), stderr);
    });
  }
});
