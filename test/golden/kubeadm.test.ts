import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import {
  allConfigurations,
  type Configuration,
  placeConfiguration,
} from '../../tools/record-kubeadm/configurations.ts';
import {
  describeMismatch,
  type Mismatch,
  mismatches,
} from '../../tools/record-kubeadm/mismatches.ts';
import {
  type Pieces,
  plain,
  readRecording,
  recordedConfigurations,
  recordedVersions,
} from '../../tools/record-kubeadm/recording.ts';
import { runSteps } from '../../tools/record-kubeadm/run-steps.ts';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';
import { type Difference, differences } from './kubeadm/differences.ts';

/**
 * What slipway answers and writes for each configuration is what the real kubeadm did: compared as
 * data with the recordings of `npm run golden -- kubeadm`. Needs neither root nor kubeadm.
 */
const scratch = mkdtempSync(join(tmpdir(), 'slipway-golden-'));
const occurred = new Set<Difference>();

/** A machine in a folder, bare but for what the recorded one had. */
function bareRoot(name: string, recording: Pieces): string {
  const root = join(scratch, name);
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

async function replay(configuration: Configuration, version: string): Promise<readonly Mismatch[]> {
  const recording = readRecording(version, configuration.name);
  const root = bareRoot(`${version}-${configuration.name}`, recording);
  placeConfiguration(configuration, version, root);
  const messages: string[] = [];
  const got = await runSteps(configuration, root, async (argv, variables) => {
    const result = await slipwayInProcess([...argv, '--rootfs', root], { variables });
    if (result.code !== 0) messages.push(result.stderr);
    return result;
  });
  const found = mismatches(withFailuresAlike(recording), withFailuresAlike(plain(got)));
  rmSync(root, { recursive: true });
  return found;
}

function isMeant(recording: string, mismatch: Mismatch): boolean {
  const place = mismatch.path === '' ? mismatch.piece : `${mismatch.piece} at ${mismatch.path}`;
  const meant = differences.filter(
    ({ recordings, places }) => recordings?.test(recording) !== false && places.test(place),
  );
  for (const difference of meant) occurred.add(difference);
  return meant.length > 0;
}

suite('kubeadm', () => {
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const version of recordedVersions) {
    for (const configuration of allConfigurations()) {
      test(`${version} ${configuration.name}`, async () => {
        const found = await replay(configuration, version);
        const wrong = found.filter(
          (mismatch) => !isMeant(`${version} ${configuration.name}`, mismatch),
        );
        assert.deepEqual(wrong.map(describeMismatch), []);
      });
    }

    test(`${version}: every configuration is recorded, and at least forty`, () => {
      const names = allConfigurations().map(({ name }) => name);
      assert.deepEqual(recordedConfigurations(version), names);
      assert.ok(names.length >= 40);
    });
  }

  test('every difference that is meant occurs', () => {
    assert.deepEqual(
      differences.filter((difference) => !occurred.has(difference)).map(({ reason }) => reason),
      [],
    );
  });
});
