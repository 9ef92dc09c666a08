import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { describeMismatch, type Mismatch } from '../../tools/record-kubeadm/mismatches.ts';
import {
  configurationsOf,
  recordedVersions,
} from '../../tools/record-kubeadm/recorded-versions.ts';
import { recordedConfigurations } from '../../tools/record-kubeadm/recording.ts';
import { type Difference, differences } from './kubeadm/differences.ts';
import { ReplayThreads } from './kubeadm/replay-threads.ts';

/**
 * What slipway answers and writes for each configuration is what the real kubeadm did: compared as
 * data with the recordings of `npm run golden -- kubeadm`. Needs neither root nor kubeadm.
 */
const occurred = new Set<Difference>();

function isMeant(recording: string, mismatch: Mismatch): boolean {
  const place = mismatch.path === '' ? mismatch.piece : `${mismatch.piece} at ${mismatch.path}`;
  const meant = differences.filter(
    ({ recordings, places }) => recordings?.test(recording) !== false && places.test(place),
  );
  for (const difference of meant) occurred.add(difference);
  return meant.length > 0;
}

suite('kubeadm', () => {
  suite('replay', { concurrency: 8 }, () => {
    const threads = new ReplayThreads();
    after(() => threads[Symbol.asyncDispose]());

    for (const version of recordedVersions) {
      for (const { name } of configurationsOf(version)) {
        test(`${version} ${name}`, async () => {
          const found = await threads.replay({ version, name });
          const wrong = found.filter((mismatch) => !isMeant(`${version} ${name}`, mismatch));
          assert.deepEqual(wrong.map(describeMismatch), []);
        });
      }
    }
  });

  for (const version of recordedVersions) {
    test(`${version}: every configuration is recorded, and not few`, () => {
      const names = configurationsOf(version).map(({ name }) => name);
      assert.deepEqual(recordedConfigurations(version), names);
      assert.ok(names.length >= (recordedVersions.indexOf(version) < 2 ? 15 : 40));
    });
  }

  test('every difference that is meant occurs', () => {
    assert.deepEqual(
      differences.filter((difference) => !occurred.has(difference)).map(({ reason }) => reason),
      [],
    );
  });
});
