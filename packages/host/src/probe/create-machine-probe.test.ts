import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { createRealHost } from '../real-host.ts';
import { createMachineProbe } from './create-machine-probe.ts';
import { describedMachine } from './described-machine.ts';

describe('this machine', () => {
  const machine = createMachineProbe({ files: createRealHost().files });

  test('has a loopback address, processors, memory and a kernel', () => {
    assert.ok(
      machine.addresses().some(({ address, internal }) => address === '127.0.0.1' && internal),
    );
    assert.ok(machine.processorCount() >= 1);
    assert.ok(machine.memoryBytes() > 64 * 1024 ** 2);
    assert.match(machine.kernelRelease(), /^\d+\.\d+/);
  });

  test('knows where its programs are', async () => {
    assert.match((await machine.findProgram('sh')) ?? '', /\/bin\/sh$/);
    assert.equal(await machine.findProgram('there-is-no-such-program'), undefined);
  });

  test('tells a port in use from a free one', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    assert.deepEqual(await machine.port(address.port), { free: false, reason: 'EADDRINUSE' });
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(await machine.port(address.port), { free: true });
  });

  test('tells that an address is of another machine', async () => {
    // TEST-NET-1 of RFC 5737: no machine has an address of it.
    assert.deepEqual(await machine.port(0, '192.0.2.7'), { free: false, reason: 'EADDRNOTAVAIL' });
    assert.deepEqual(await machine.port(0, '127.0.0.1'), { free: true });
  });

  test('reads what the kernel tells', async () => {
    const file = await machine.kernelFile('/proc/sys/kernel/osrelease');
    assert.equal(
      Buffer.from(file ?? [])
        .toString('utf8')
        .trim(),
      machine.kernelRelease(),
    );
    assert.equal(await machine.kernelFile('/proc/no-such-file'), undefined);
  });

  test('resolves localhost and not a name that cannot exist', async () => {
    assert.notDeepEqual(await machine.resolve('localhost'), []);
    assert.deepEqual(await machine.resolve('no-such-name.invalid'), []);
  });
});

test('a described machine is as described', async () => {
  const machine = describedMachine({
    hostname: 'w1',
    portsInUse: [6443],
    programs: { ip: '/usr/sbin/ip' },
    names: { w1: ['10.20.0.12'] },
    kernelFiles: { '/proc/swaps': 'none' },
  });
  assert.equal(machine.hostname(), 'w1');
  assert.equal(await machine.defaultRouteInterface('ipv4'), 'eth0');
  assert.equal((await machine.port(6443)).free, false);
  assert.equal((await machine.port(10_250)).free, true);
  assert.equal((await machine.port(2379, '10.20.0.11')).free, true);
  assert.equal((await machine.port(2379, '10.20.0.99')).free, false);
  assert.equal(Buffer.from((await machine.kernelFile('/proc/swaps')) ?? []).toString(), 'none');
  assert.equal(await machine.kernelFile('/proc/mounts'), undefined);
  assert.equal(await machine.findProgram('ip'), '/usr/sbin/ip');
  assert.equal(await machine.findProgram('constructor'), undefined);
  assert.deepEqual(await machine.resolve('w1'), ['10.20.0.12']);
});
