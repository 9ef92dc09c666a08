import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  closeNspawn,
  createNspawnMachine,
  type Machine,
  machineBundlePath,
  machineNodePath,
  type NspawnFleet,
  prepareNspawn,
  runProgram,
} from '@slipway/host';
import { build } from 'esbuild';

const base = mkdtempSync('/var/tmp/slipway-host-test-');
const bundle = join(base, 'bundle');
const contract = [machineNodePath, join(machineBundlePath, 'contract.mjs')];

/** What machines below `base` occupy on this computer: mounts, cgroups, interfaces and processes. */
async function occupied(fleet: NspawnFleet): Promise<readonly string[]> {
  const tables = ['/proc/self/mountinfo', '/proc/net/dev'].map((path) =>
    readFileSync(path, 'utf8'),
  );
  const { stdout } = await runProgram(['ps', '-eo', 'args']);
  const cgroups = readdirSync('/sys/fs/cgroup').flatMap((name) => {
    const path = join('/sys/fs/cgroup', name);
    return statSync(path).isDirectory() ? readdirSync(path) : [];
  });
  const lines = [...tables, stdout].flatMap((text) => text.split('\n'));
  const marks = [`${base}/`, fleet.prefix, fleet.bridge];
  return [...lines, ...cgroups].filter((line) => marks.some((mark) => line.includes(mark)));
}

suite('nspawn', () => {
  let fleet: NspawnFleet;
  let machine: Machine;

  before(async () => {
    mkdirSync(bundle);
    await build({
      entryPoints: [
        fileURLToPath(
          new URL('../../packages/host/src/contract/inside-machine.ts', import.meta.url),
        ),
      ],
      outfile: join(bundle, 'contract.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
    });
    fleet = await prepareNspawn({ stateDirectory: join(base, 'state') });
    machine = await newMachine();
    await machine.start();
    await machine.waitReady();
  });

  after(async () => {
    await closeNspawn(fleet);
    rmSync(base, { recursive: true, force: true });
  });

  function newMachine(): Promise<Machine> {
    return createNspawnMachine({ fleet, name: 'one', index: 1, bundleDirectory: bundle });
  }

  for (const root of ['/', '/host']) {
    test(`the contract of all hosts holds on a real systemd with its root at ${root}`, async () => {
      // As a DaemonSet sees its host: everything of it below a folder.
      if (root !== '/') {
        await machine.exec(['mkdir', '-p', root]);
        await machine.exec(['mount', '--rbind', '/', root]);
      }
      const result = await machine.exec([...contract, root], { timeoutMs: 300_000 });
      process.stdout.write(result.stdout);
      assert.equal(result.exitCode, 0, result.stderr);
    });
  }

  test('a machine reaches a server on this computer', async () => {
    const server = createServer((_request, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, fleet.hostAddress, resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const url = `http://${fleet.hostAddress}:${port}/`;
      const script = `console.log(await (await fetch('${url}')).text())`;
      const result = await machine.exec([machineNodePath, '--input-type=module', '-e', script]);
      assert.equal(result.stdout, 'reached\n', result.stderr);
    } finally {
      server.close();
    }
  });

  test('a reboot that the daemon asks for is one: new boot id, same files', async () => {
    const bootId = await machine.bootId();
    await machine.exec(['sh', '-c', 'echo kept >/etc/kept; echo lost >/run/lost']);
    const next = machine.nextBoot();
    await machine.exec([...contract, 'reboot']).catch(() => undefined);
    await next;
    assert.notEqual(await machine.bootId(), bootId);
    assert.equal(readFileSync(join(machine.rootPath, 'etc/kept'), 'utf8'), 'kept\n');
    assert.equal((await machine.exec(['test', '-e', '/run/lost'])).exitCode, 1);
    await machine.reboot();
  });

  test('a power cut ends everything at once, and the machine comes back', async () => {
    const machineId = readFileSync(join(machine.rootPath, 'etc/machine-id'), 'utf8');
    await machine.powerCut();
    assert.equal(await machine.bootId(), '');
    await assert.rejects(machine.exec(['true']), { code: 'host.nspawn.exec' });
    await machine.start();
    await machine.waitReady();
    assert.equal(readFileSync(join(machine.rootPath, 'etc/machine-id'), 'utf8'), machineId);
  });

  test('a released machine goes on with its files', async () => {
    await machine.release();
    assert.deepEqual(
      (await occupied(fleet)).filter((line) => !line.includes(fleet.bridge)),
      [],
    );
    machine = await newMachine();
    assert.equal(readFileSync(join(machine.rootPath, 'etc/kept'), 'utf8'), 'kept\n');
    await machine.start();
    await machine.waitReady();
  });

  test('what a crash leaves is swept by the next start', async () => {
    writeFileSync(join(fleet.stateDirectory, 'owner'), '2147483647');
    const bootId = await machine.bootId();
    fleet = await prepareNspawn({ stateDirectory: fleet.stateDirectory });
    machine = await newMachine();
    await machine.start();
    await machine.waitReady();
    assert.notEqual(await machine.bootId(), bootId);
  });

  test('a destroyed machine leaves nothing behind', async () => {
    await machine.destroy();
    await closeNspawn(fleet);
    assert.deepEqual(await occupied(fleet), []);
    assert.equal(existsSync(join(fleet.stateDirectory, 'm1')), false);
  });
});
