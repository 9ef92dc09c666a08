import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import type { HostWorkerSettings } from './host-messages.ts';
import type { HostEvent } from './host-power.ts';
import { createSimulatedPower } from './simulated-power.ts';

test('a host that has crashed and waits to be started again can be switched off', {
  timeout: 20_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-power-'));
  // A file where the folder of the host should be: its worker ends at once.
  const directory = join(folder, 'host');
  writeFileSync(directory, '');
  const crashed = Promise.withResolvers<HostEvent>();
  const settings = { nodeName: 'worker-1', directory } as Omit<HostWorkerSettings, 'reboot'>;
  // Time stands still: nothing starts it again.
  const power = createSimulatedPower({
    settings,
    clock: new VirtualClock(),
    onEvent: crashed.resolve,
  });
  power.switchOn();
  void power.join();
  assert.equal((await crashed.promise).kind, 'crashed');
  await power.switchOff(1000);
  await rm(folder, { recursive: true });
});
