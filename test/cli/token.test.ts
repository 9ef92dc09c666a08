import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { listTokens } from '@slipway/bootstrap';
import { publicKeyPin } from '@slipway/pki';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../packages/cli/src/command/program.ts';
import { describeFailure, exitCodeOf } from '../../packages/cli/src/error-report.ts';
import { createOutput } from '../../packages/cli/src/output.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';

const text = 'abcdef.0123456789abcdef';
const certificateKey = '0'.repeat(64);

function collected() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { text: () => chunks.join('') });
}

suite('slipway token', () => {
  let cluster: EmbeddedCluster;
  let folder = '';
  let kubeconfig = '';
  before(async () => {
    cluster = await startEmbeddedCluster();
    folder = mkdtempSync(join(tmpdir(), 'slipway-token-'));
    kubeconfig = join(folder, 'admin.conf');
    writeFileSync(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** In this process: two dozen starts of a program would take longer than all that is tested. */
  async function token(
    argv: readonly string[],
    variables: Readonly<Record<string, string>> = { KUBECONFIG: kubeconfig },
  ) {
    const [stdout, stderr] = [collected(), collected()];
    const output = createOutput(stdout, stderr);
    const environment = {
      variables,
      workingDirectory: folder,
      homeDirectory: folder,
      nodeBinary: process.execPath,
      entryPoint: '',
      userId: process.getuid?.() ?? -1,
      restartWith: () => undefined,
      interrupted: new AbortController().signal,
    };
    let code: number;
    try {
      code = await runProgram(['token', ...argv], { output, environment });
    } catch (error) {
      output.problem(describeFailure(error));
      code = exitCodeOf(error);
    }
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  }

  async function stored(): Promise<readonly string[]> {
    const { tokens } = await listTokens(cluster.client);
    return tokens.map((record) => record.token.id);
  }

  test('generate asks no cluster', async () => {
    const { code, stdout } = await token(['generate'], { KUBECONFIG: '/nowhere' });
    assert.equal(code, 0);
    assert.match(stdout, /^[a-z0-9]{6}\.[a-z0-9]{16}\n$/);
  });

  test('create, list in three forms, refuse a second time, delete', async () => {
    const created = await token(['create', text, '--ttl', '2h', '--description', 'hello']);
    assert.deepEqual(created, { code: 0, stdout: `${text}\n`, stderr: '' });

    const list = await token(['list']);
    const [header, row, ...rest] = list.stdout.trimEnd().split('\n');
    assert.match(header ?? '', /^TOKEN +TTL +EXPIRES +USAGES +DESCRIPTION +EXTRA GROUPS$/);
    assert.match(
      row ?? '',
      /^abcdef\.0123456789abcdef +1h +\S+Z +authentication,signing +hello +system:/,
    );
    assert.deepEqual(rest, []);

    const json = JSON.parse((await token(['list', '-o', 'json'])).stdout);
    const [yaml] = parseAllDocuments((await token(['list', '-o', 'yaml'])).stdout);
    assert.deepEqual(yaml?.toJS(), json);
    assert.equal(json.token, text);
    assert.equal(json.apiVersion, 'output.kubeadm.k8s.io/v1alpha3');

    const again = await token(['create', text]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /a token with id abcdef exists already/);

    const deleted = await token(['delete', 'abcdef']);
    assert.deepEqual(deleted, {
      code: 0,
      stdout: 'bootstrap token "abcdef" deleted\n',
      stderr: '',
    });
    const missing = await token(['delete', text]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /delete bootstrap token abcdef: there is none/);
    assert.doesNotMatch(missing.stderr, /0123456789abcdef/);
    assert.equal((await token(['list'])).stdout, '');
  });

  test('the join command, for workers and for control planes', async () => {
    const endpoint = cluster.server.replace('https://', '');
    const pin = publicKeyPin(cluster.certificateAuthorityPem);
    const command = `slipway join ${endpoint} --token ${text} --discovery-token-ca-cert-hash ${pin}`;
    const worker = await token(['create', text, '--print-join-command']);
    assert.deepEqual(worker, { code: 0, stdout: `${command}\n`, stderr: '' });
    await token(['delete', 'abcdef']);
    const key = ['--certificate-key', certificateKey];
    const controlPlane = await token(['create', text, '--print-join-command', ...key]);
    const flags = `--control-plane --certificate-key ${certificateKey}`;
    assert.equal(controlPlane.stdout, `${command} ${flags}\n`);
    await token(['delete', 'abcdef']);
  });

  test('a dry run writes nothing and shows no secret of what it would write', async () => {
    const { code, stdout } = await token(['create', text, '--dry-run']);
    assert.equal(code, 0);
    assert.match(stdout, /would create Secret kube-system\/bootstrap-token-abcdef/);
    assert.match(stdout, /token-secret: ["']?\*\*\*/);
    assert.ok(stdout.endsWith(`${text}\n`));
    assert.deepEqual(await stored(), []);
    await token(['create', text]);
    const removal = await token(['delete', 'abcdef', '--dry-run']);
    assert.match(removal.stdout, /would be deleted/);
    assert.deepEqual(await stored(), ['abcdef']);
    await token(['delete', 'abcdef']);
  });

  test('every token of a configuration file is created, the first is printed', async () => {
    const config = join(folder, 'init.yaml');
    writeFileSync(
      config,
      `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens:
- token: ${text}
  ttl: 1h0m0s
- token: fedcba.fedcba9876543210
  usages: [authentication]
`,
    );
    const created = await token(['create', '--config', config]);
    assert.equal(created.stderr, '');
    assert.equal(created.stdout, `${text}\n`);
    assert.deepEqual(new Set(await stored()), new Set(['abcdef', 'fedcba']));
    await token(['delete', 'abcdef', 'fedcba']);
  });

  test('the kubeconfig is looked for: flag, KUBECONFIG, home, admin.conf of the root', async () => {
    const elsewhere = {};
    const root = join(folder, 'root');
    mkdirSync(join(root, 'etc/kubernetes'), { recursive: true });
    const none = await token(['list', '--rootfs', root], elsewhere);
    assert.equal(none.code, 3);
    assert.match(none.stderr, /cli\.bootstrap\.kubeconfig/);
    writeFileSync(join(root, 'etc/kubernetes/admin.conf'), await cluster.kubeconfig());
    assert.equal((await token(['list', '--rootfs', root], elsewhere)).code, 0);
    assert.equal((await token(['list', '--kubeconfig', kubeconfig], elsewhere)).code, 0);
    const several = { KUBECONFIG: `/nowhere:${kubeconfig}` };
    assert.equal((await token(['list'], several)).code, 0);
    mkdirSync(join(folder, '.kube'));
    writeFileSync(join(folder, '.kube/config'), await cluster.kubeconfig());
    assert.equal((await token(['list'], elsewhere)).code, 0);
  });

  const refused = [
    { name: 'a bad token', argv: ['create', 'not-a-token'], want: /not of the form/ },
    {
      name: 'a bad group',
      argv: ['create', '--groups', 'system:masters'],
      want: /"system:masters"/,
    },
    { name: 'a bad usage', argv: ['create', '--usages', 'signing,x'], want: /"x" is not one of/ },
    { name: 'a bad duration', argv: ['create', '--ttl', 'soon'], want: /not a duration/ },
    {
      name: 'a key alone',
      argv: ['create', '--certificate-key', certificateKey],
      want: /needs --print/,
    },
    {
      name: 'half a key',
      argv: ['create', '--print-join-command', '--certificate-key', '00'],
      want: /64 hex digits/,
    },
    { name: 'no id', argv: ['delete'], want: /missing required argument/ },
    { name: 'a bad id', argv: ['delete', 'ABCDEF'], want: /give an id/ },
    {
      name: 'an unknown form',
      argv: ['list', '-o', 'xml'],
      want: /must be text, json, yaml, jsonpath/,
    },
    {
      name: 'flags beside a configuration file',
      argv: ['create', '--config', '/nowhere', '--ttl', '1h'],
      want: /--ttl.*--config/,
    },
  ];
  for (const { name, argv, want } of refused) {
    test(`refused with 3, nothing is written: ${name}`, async () => {
      const { code, stdout, stderr } = await token(argv);
      assert.equal(code, 3, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, want);
      assert.deepEqual(await stored(), []);
    });
  }
});
