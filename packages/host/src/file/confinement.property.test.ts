import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { SlipwayError } from '@slipway/base';
import fc from 'fast-check';
import type { HostFiles } from '../host.ts';
import { createHostFiles } from './host-files.ts';
import { noLabels } from './labels.ts';
import { realOwnership } from './ownership.ts';

const attributes = { mode: 0o755, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const secret = 'outside';

const name = fc.constantFrom('a', 'b', 'c', 'secret', 'outside', 'root');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
const target = fc
  .tuple(
    fc.constantFrom('', '/', '../', '../../', '../../../../../../../..', 'OUTSIDE', 'ROOT/'),
    fc.array(fc.oneof(name, fc.constantFrom('.', '..')), { maxLength: 4 }),
  )
  .map(([start, names]) => `${start}${start === 'OUTSIDE' ? '/' : ''}${names.join('/')}`);
const entry = fc.record({ path, link: fc.option(target, { nil: undefined }) });

type Operation = (files: HostFiles, path: string) => Promise<unknown>;

const operations: Readonly<Record<string, Operation>> = {
  write: (files, at) => files.write(at, Buffer.from('inside'), attributes),
  makeDirectory: (files, at) => files.makeDirectory(at, attributes),
  symlink: (files, at) => files.symlink(at, '../../outside/secret'),
  setAttributes: (files, at) => files.setAttributes(at, attributes),
  remove: (files, at) => files.remove(at),
  removeDirectory: (files, at) => files.removeDirectory(at),
  removeStaleTemporaries: (files, at) => files.removeStaleTemporaries(at),
  list: async (files, at) => assert.ok(!(await files.list(at)).includes('only-outside')),
  read: async (files, at) => assert.notEqual(String(await files.read(at)), secret),
  stat: (files, at) => files.stat(at),
  writeRefusal: (files, at) => files.writeRefusal(at),
};

type Planted = { readonly path: string; readonly link?: string | undefined };

/** Builds what of the tree can be built without following a link: the planting must not escape either. */
function plant(base: string, root: string, entries: readonly Planted[]): void {
  for (const { path: at, link } of entries) {
    const parents = dirname(at)
      .split('/')
      .filter((part) => part !== '');
    let location = root;
    const isOpen = parents.every((part) => {
      location = join(location, part);
      const stat = lstatSync(location, { throwIfNoEntry: false });
      if (stat === undefined) mkdirSync(location);
      return stat === undefined || stat.isDirectory();
    });
    location = join(root, at);
    if (!isOpen || lstatSync(location, { throwIfNoEntry: false }) !== undefined) continue;
    const written = link?.replace('OUTSIDE', join(base, 'outside')).replace('ROOT', root);
    if (written === undefined) writeFileSync(location, 'planted');
    else symlinkSync(written || '.', location);
  }
}

suite('confinement', () => {
  test('no operation on any tree of links reaches what lies outside the root', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(operations)), path), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), steps, async (entries, plan) => {
        const base = mkdtempSync(join(tmpdir(), 'slipway-confined-'));
        try {
          const [root, outside] = [join(base, 'root'), join(base, 'outside')];
          mkdirSync(root);
          mkdirSync(join(outside, 'a/only-outside'), { recursive: true });
          mkdirSync(join(outside, 'only-outside'));
          writeFileSync(join(outside, 'secret'), secret);
          plant(base, root, entries);
          const files = createHostFiles({ root, ownership: realOwnership, labels: noLabels });
          for (const [operation, at] of plan) await attempt(operations[operation], files, at);
          assert.deepEqual(readdirSync(base).sort(), ['outside', 'root']);
          assert.deepEqual(readdirSync(outside).sort(), ['a', 'only-outside', 'secret']);
          assert.deepEqual(readdirSync(join(outside, 'a')), ['only-outside']);
          assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), secret);
        } finally {
          rmSync(base, { recursive: true, force: true });
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A refusal is fine, as long as it is one of ours. */
async function attempt(operation: Operation | undefined, files: HostFiles, at: string) {
  try {
    await operation?.(files, at);
  } catch (error) {
    assert.ok(error instanceof SlipwayError, String(error));
  }
}
