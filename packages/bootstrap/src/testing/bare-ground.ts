import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { silentLogger, VirtualClock } from '@slipway/base';
import { createRootFolderFiles, describedMachine, type MachineProbe } from '@slipway/host';
import type { Ground } from '../workflow/ground.ts';

/** A machine without a file, in a folder that is removed after the tests of the file. */
export function bareGround(machine: MachineProbe = describedMachine()): Ground & {
  /** The folder that is its root. */
  readonly root: string;
} {
  const root = mkdtempSync(join(tmpdir(), 'slipway-bare-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const files = createRootFolderFiles({ root, userId: 0 });
  if (files === undefined) throw new Error(`${root} is gone`);
  return { root, files, machine, clock: new VirtualClock(), logger: silentLogger, variables: {} };
}
