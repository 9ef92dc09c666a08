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
  });
  assert.equal(machine.hostname(), 'w1');
  assert.equal(await machine.defaultRouteInterface('ipv4'), 'eth0');
  assert.equal((await machine.port(6443)).free, false);
  assert.equal((await machine.port(10_250)).free, true);
  assert.equal(await machine.findProgram('ip'), '/usr/sbin/ip');
  assert.equal(await machine.findProgram('constructor'), undefined);
  assert.deepEqual(await machine.resolve('w1'), ['10.20.0.12']);
});
