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

const name = fc.constantFrom('a', 'b', 'outside');
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const path = names.map((parts) => `/${parts.join('/')}`);
/** Never further up than `base`: a broken confinement must not litter the machine it is tested on. */
const target = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('', 'OUTSIDE/', 'ROOT/'),
      fc.nat(6).map((ups) => '../'.repeat(ups)),
    ),
    fc.array(name, { maxLength: 2 }),
  )
  .map(([start, parts]) => `${start}${parts.join('/')}`);
const entry = fc.record({ path, link: fc.option(target, { nil: undefined, freq: 4 }) });

type Operation = (files: HostFiles, path: string) => Promise<unknown>;

const operations: Readonly<Record<string, Operation>> = {
  write: (files, at) => files.write(at, Buffer.from('inside'), attributes),
  makeDirectory: (files, at) => files.makeDirectory(at, attributes),
  symlink: (files, at) => files.symlink(at, '../outside/b'),
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
function plant(outside: string, root: string, entries: readonly Planted[]): void {
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
    const written = link?.replace('OUTSIDE', outside).replace('ROOT', root);
    if (written === undefined) writeFileSync(location, 'planted');
    else symlinkSync(written || '.', location);
  }
}

type Step = { readonly operation: string; readonly from: number; readonly below: string };

/** Most steps go through something planted; the others anywhere. */
function pathOfStep(step: Step, entries: readonly Planted[]): string {
  const start = entries[step.from % (entries.length + 1)]?.path ?? '';
  return `${start}${step.below}` || '/';
}

/** Everything below `directory` but the root: path, mode, and content of files. No link is followed. */
function around(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((entryName) => {
    const at = join(directory, entryName);
    if (at.endsWith(`/${depth}/root`)) return [];
    const stat = lstatSync(at);
    const line = `${at} ${stat.mode} ${stat.isFile() ? readFileSync(at, 'utf8') : ''}`;
    return stat.isDirectory() ? [line, ...around(at)] : [line];
  });
}

/** Folders between `base` and the root, more than any planted link goes up. */
const depth = '1/2/3/4/5/6/7';

async function staysInside(entries: readonly Planted[], steps: readonly Step[]): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'slipway-confined-'));
  try {
    const [root, outside] = [join(base, depth, 'root'), join(base, depth, 'outside')];
    mkdirSync(join(outside, 'a/only-outside'), { recursive: true });
    mkdirSync(join(outside, 'only-outside'));
    writeFileSync(join(outside, 'b'), secret);
    mkdirSync(root);
    plant(outside, root, entries);
    const before = around(base);
    const files = createHostFiles({ root, ownership: realOwnership, labels: noLabels });
    for (const step of steps) {
      await attempt(operations[step.operation], files, pathOfStep(step, entries));
    }
    assert.deepEqual(around(base), before);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

suite('confinement', () => {
  test('no operation on any tree of links reaches what lies outside the root', async () => {
    const step = fc.record({
      operation: fc.constantFrom(...Object.keys(operations)),
      from: fc.nat(20),
      below: fc.oneof(path, fc.constant('')),
    });
    const trees = fc.array(entry, { maxLength: 5 });
    const steps = fc.array(step, { minLength: 1, maxLength: 12 });
    await fc.assert(fc.asyncProperty(trees, steps, staysInside), { numRuns: 100 });
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
