import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeHostContract } from '../contract/host-contract.ts';
import { createSimulatedHost } from './simulated-host.ts';

describeHostContract('simulated host', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-simulated-'));
  const host = await createSimulatedHost({ directory, name: 'one', onReboot: () => undefined });
  await host.powerOn();
  return {
    host,
    [Symbol.asyncDispose]: async () => rmSync(directory, { recursive: true, force: true }),
  };
});
