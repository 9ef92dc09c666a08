import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ExpectedPath, ExpectedState } from '../declaration/expected-state.ts';
import { absent, type Image, sameImage } from '../state/image.ts';
import type { Originals } from '../state/originals.ts';
import { type PlanInput, planUpdate } from './plan.ts';

const names = ['/etc/a', '/etc/b', '/etc/c', '/etc/d/e'];

const file: fc.Arbitrary<Image> = fc.record({
  type: fc.constant('file' as const),
  digest: fc.constantFrom('sha256:a', 'sha256:b', 'sha256:c'),
  sizeBytes: fc.constant(1),
  mode: fc.constantFrom(0o600, 0o644),
  uid: fc.constant(0),
  gid: fc.constant(0),
});

const disk = fc
  .dictionary(fc.constantFrom(...names), file)
  .map((record) => new Map(Object.entries(record)));
const config = disk.map((images): ExpectedState => {
  const paths = [...images].map(
    ([path, image]): ExpectedPath => ({ path, role: 'file', image, owner: '0:0' }),
  );
  return { paths, units: [], contents: new Map(), problems: [] };
});

const quiet = { actions: [], drain: false, reboot: false };
const nothing: Originals = { paths: new Map(), units: new Map(), directories: [] };

type Disk = ReadonlyMap<string, Image>;

/** Carries a plan out on a map: what the steps do to a host. */
function carryOut(
  input: PlanInput,
  before: Disk,
): { readonly disk: Disk; readonly originals: Originals } {
  const plan = planUpdate(input);
  const after = new Map(before);
  for (const { path, after: image } of plan.paths) after.set(path, image);
  const paths = new Map(input.originals.paths);
  for (const path of plan.adoptedPaths) paths.set(path, before.get(path) ?? absent);
  for (const path of plan.releasedPaths) paths.delete(path);
  return { disk: after, originals: { ...input.originals, paths } };
}

const observed = (images: Disk) => ({ paths: new Map(images), units: new Map() });
const at = (images: Disk, path: string) => images.get(path) ?? absent;

test('after a plan the host shows the target, and a second plan changes nothing', () => {
  fc.assert(
    fc.property(disk, config, (start, expected) => {
      const input = (images: Disk, originals: Originals): PlanInput => ({
        to: { name: 'new', expected },
        observed: observed(images),
        originals,
        disruption: quiet,
        forced: false,
      });
      const done = carryOut(input(start, nothing), start);
      for (const { path, image } of expected.paths) {
        assert.ok(sameImage(at(done.disk, path), image));
      }
      assert.deepEqual(planUpdate(input(done.disk, done.originals)).paths, []);
    }),
  );
});

test('any chain of configurations and back to nothing gives the host back', () => {
  fc.assert(
    fc.property(disk, fc.array(config, { maxLength: 4 }), (start, chain) => {
      const empty: ExpectedState = { paths: [], units: [], contents: new Map(), problems: [] };
      let state = { disk: start as Disk, originals: nothing };
      let from: PlanInput['from'];
      for (const [index, expected] of [...chain, empty].entries()) {
        const to = { name: `config-${index}`, expected };
        const input = {
          ...(from === undefined ? {} : { from }),
          to,
          observed: observed(state.disk),
          originals: state.originals,
          disruption: quiet,
          forced: false,
        };
        state = carryOut(input, state.disk);
        from = to;
      }
      for (const path of names) assert.ok(sameImage(at(state.disk, path), at(start, path)), path);
      assert.equal(state.originals.paths.size, 0);
    }),
  );
});

test('a plan writes only what differs, but everything when it is forced', () => {
  fc.assert(
    fc.property(config, (expected) => {
      const images = new Map(expected.paths.map(({ path, image }) => [path, image]));
      const input = (forced: boolean): PlanInput => ({
        to: { name: 'new', expected },
        observed: observed(images),
        originals: nothing,
        disruption: quiet,
        forced,
      });
      assert.equal(planUpdate(input(false)).paths.length, 0);
      const forced = planUpdate(input(true));
      assert.equal(forced.paths.length, expected.paths.length);
      assert.deepEqual([forced.drain, forced.reboot], [true, true]);
    }),
  );
});
