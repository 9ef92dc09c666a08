import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allConfigurations,
  placeConfiguration,
} from '../../../tools/record-kubeadm/configurations.ts';
import { type Mismatch, mismatches } from '../../../tools/record-kubeadm/mismatches.ts';
import { type Pieces, plain, readRecording } from '../../../tools/record-kubeadm/recording.ts';
import { runSteps } from '../../../tools/record-kubeadm/run-steps.ts';
import { slipwayInProcess } from '../../kit/slipway-in-process.ts';

export type ReplayOrder = { readonly version: string; readonly name: string };

const configurations = new Map(allConfigurations().map((each) => [each.name, each]));

// In memory where that can be: a hundred machines are written, each file through to the disk.
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Takes slipway through the steps of a recording and gives every place where something else came of it. */
export async function replay({ version, name }: ReplayOrder): Promise<readonly Mismatch[]> {
  const configuration = configurations.get(name);
  if (configuration === undefined) throw new Error(`no configuration ${name}`);
  const recording = readRecording(version, name);
  const root = bareRoot(recording);
  try {
    placeConfiguration(configuration, version, root);
    const got = await runSteps(configuration, root, (argv, variables) =>
      slipwayInProcess([...argv, '--rootfs', root], { variables }),
    );
    return mismatches(withFailuresAlike(recording), withFailuresAlike(plain(got)));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** A machine in a folder, bare but for what the recorded one had. */
function bareRoot(recording: Pieces): string {
  const root = mkdtempSync(join(scratch, 'slipway-golden-'));
  const directories = (recording['machine/directories'] ?? []) as readonly string[];
  for (const path of ['/etc', '/var/lib', ...directories])
    mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, 'etc/hostname'), 'cp1\n');
  return root;
}

/** slipway tells kinds of failure apart by exit codes that kubeadm does not have. */
function withFailuresAlike(pieces: Pieces): Pieces {
  return Object.fromEntries(
    Object.entries(pieces).map(([name, value]) => [
      name,
      name.startsWith('exit/') && value !== 0 ? 'failure' : value,
    ]),
  );
}
