import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bareGround } from '../testing/bare-ground.ts';
import { settleFile, validateFile } from './settle-file.ts';
import { settleInit } from './settle-init.ts';

const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
const init = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\n';
const kubelet =
  'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDomain: cluster.local\n';

/** Every finding, as `line:column path code`. */
const refused: readonly { name: string; given: string; want: readonly string[] }[] = [
  {
    name: 'a control character',
    given: `${cluster}clusterName: a\0b\n`,
    want: ['3:15  syntax'],
  },
  {
    name: 'an anchor within itself is told once and shortly',
    given: `${cluster}networking: &n\n  podSubnet: *n\n`,
    want: ['4:14 networking.podSubnet.podSubnet syntax', '4:3 networking.podSubnet wrong-type'],
  },
  {
    name: 'what is merged is no object',
    given: `${cluster}<<: hello\n`,
    want: ['3:5  syntax'],
  },
  {
    name: 'what could not be read breaks no further rule',
    given: `${cluster}apiServer:\n  certSANs: [1.2, "a b"]\n`,
    want: ['4:14 apiServer.certSANs[0] wrong-type', '4:19 apiServer.certSANs[1] alternative-name'],
  },
  {
    name: 'a day that no month has',
    given: `${init}bootstrapTokens:\n- expires: "2030-02-30T00:00:00Z"\n`,
    want: ['4:3 bootstrapTokens[0].expires timestamp'],
  },
  {
    name: 'a path with ..',
    given: `${cluster}certificatesDir: /etc/kubernetes/../..\n`,
    want: ['3:1 certificatesDir path'],
  },
  {
    name: 'an argument of MasterConfiguration',
    given:
      'apiVersion: kubeadm.k8s.io/v1alpha1\nkind: MasterConfiguration\napiServerExtraArgs:\n  a: b\n  "": x\n',
    want: ['5:3 apiServerExtraArgs. argument'],
  },
];

suite('hostile texts', () => {
  const ground = bareGround();

  test('a file nested too deeply is told once', async () => {
    const issues = await validateFile({ text: '['.repeat(20_000), ground });
    const syntax = issues.filter(({ code }) => code === 'bootstrap.config.syntax');
    assert.deepEqual(
      syntax.map(({ message }) => message),
      ['the file is nested deeper than any configuration'],
    );
  });

  for (const { name, given, want } of refused) {
    test(name, async () => {
      const issues = await validateFile({ text: given, ground });
      assert.deepEqual(
        issues
          .filter(({ severity }) => severity === 'error')
          .map(({ line, column, path, code }) => `${line}:${column} ${path} ${code.split('.')[2]}`),
        want,
      );
    });
  }

  test('thousands of unknown fields are found in no time', async () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `${index}${'x'.repeat(100)}: 1`);
    const started = performance.now();
    const issues = await validateFile({ text: cluster + fields.join('\n'), ground });
    assert.equal(issues.length, fields.length);
    assert.ok(performance.now() - started < 5000);
  });

  test('what an object says itself wins over what is merged into it, without a word', async () => {
    const text = `${cluster}controllerManager: &c\n  extraArgs: [{name: v, value: "1"}]\nscheduler:\n  <<: *c\n  extraArgs: [{name: v, value: "2"}]\n`;
    const { value, issues } = await settleInit({ text, ground });
    assert.deepEqual(value?.cluster.scheduler.extraArgs, [{ name: 'v', value: '2' }]);
    assert.ok(issues.every(({ code }) => code !== 'bootstrap.config.duplicate-field'));
  });

  test('numbers and booleans of a component are those of YAML 1.1', async () => {
    const text = `${init}localAPIEndpoint:\n  advertiseAddress: 10.0.0.1\n  bindPort: 014453\n---\n${kubelet}failSwapOn: no\nproviderID: "no"\npodsPerCore: 010\n`;
    const { value, issues } = await settleFile({ text, ground });
    assert.deepEqual(issues, []);
    assert.equal(value?.init?.init.localAPIEndpoint.bindPort, 6443);
    const { failSwapOn, providerID, podsPerCore } = { ...value?.init?.components.kubelet };
    assert.deepEqual([failSwapOn, providerID, podsPerCore], [false, 'no', 8]);
  });
});
