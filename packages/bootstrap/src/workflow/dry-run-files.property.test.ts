import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createRootFolderFiles, type HostFiles } from '@slipway/host';
import fc from 'fast-check';
import { createDryRunFiles } from './dry-run-files.ts';

const attributes = { mode: 0o640, uid: 0, gid: 0 };
const directory = { mode: 0o755, uid: 0, gid: 0 };
const folder = '/dry/run';

type Step = { readonly verb: string; readonly path: string; readonly text: string };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    verb: fc.constantFrom('write', 'remove', 'makeDirectory', 'removeDirectory', 'symlink', 'mode'),
    path: fc.constantFrom('/a', '/d', '/d/a', '/d/b', '/d/e', '/d/e/a', '/new', '/new/a'),
    text: fc.string({ maxLength: 5 }),
  }),
  { maxLength: 12 },
);

async function apply(files: HostFiles, { verb, path, text }: Step): Promise<void> {
  if (verb === 'write') await files.write(path, Buffer.from(text), attributes);
  if (verb === 'remove' && (await files.stat(path))?.type !== 'directory') await files.remove(path);
  if (verb === 'makeDirectory') await files.makeDirectory(path, directory);
  if (verb === 'removeDirectory') await files.removeDirectory(path);
  if (verb === 'symlink') await files.symlink(path, `to ${text}x`);
  if (verb === 'mode') await files.setAttributes(path, { ...attributes, mode: 0o750 });
}

/** What a directory looks like through these files, everything below it. */
async function seen(files: HostFiles, path = '/'): Promise<unknown> {
  const names = (await files.list(path)).filter((name) => name !== 'dry');
  const entries = names.map(async (name) => {
    const at = `${path === '/' ? '' : path}/${name}`;
    const stat = await files.stat(at);
    if (stat?.type === 'directory') return [name, stat.mode, await seen(files, at)];
    if (stat?.type === 'symlink') return [name, await files.readLink(at)];
    return [name, stat?.mode, Buffer.from(await files.read(at)).toString()];
  });
  return Promise.all(entries);
}

function filesIn(root: string): HostFiles {
  const files = createRootFolderFiles({ root, userId: 1 });
  assert.ok(files !== undefined);
  return files;
}

/** Steps that a directory in the way, or a missing parent, refuses do nothing in either. */
function isPossible({ verb, path }: Step, stat: { type: string } | undefined, parent: boolean) {
  if (verb === 'mode') return stat?.type === 'file' || stat?.type === 'directory';
  if (verb === 'write' || verb === 'symlink') return parent && stat?.type !== 'directory';
  if (verb === 'makeDirectory') return stat === undefined && parent;
  return path !== '';
}

suite('createDryRunFiles', () => {
  let base = '';
  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'slipway-overlay-'));
    const template = join(base, 'template');
    mkdirSync(template);
    const files = filesIn(template);
    await files.makeDirectory('/d/e', directory);
    for (const path of ['/a', '/d/a', '/d/e/a'])
      await files.write(path, Buffer.from('old'), attributes);
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  test('reads as if it had been done, and changes nothing outside the folder', async () => {
    let run = 0;
    const property = fc.asyncProperty(steps, async (given) => {
      run += 1;
      const [plain, overlaid] = ['plain', 'overlaid'].map((name) => {
        const root = join(base, `${name}${run}`);
        cpSync(join(base, 'template'), root, { recursive: true, preserveTimestamps: true });
        return filesIn(root);
      });
      assert.ok(plain !== undefined && overlaid !== undefined);
      const before = await seen(overlaid);
      const dry = createDryRunFiles(overlaid, folder);
      for (const step of given) {
        const parent = step.path.slice(0, step.path.lastIndexOf('/')) || '/';
        const hasParent = (await plain.stat(parent))?.type === 'directory';
        if (!isPossible(step, await plain.stat(step.path), hasParent)) continue;
        await apply(plain, step);
        await apply(dry, step);
        assert.deepEqual(await seen(dry), await seen(plain));
      }
      assert.deepEqual(await seen(overlaid), before);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('the folder is closed to others at every level', async () => {
    const root = join(base, 'closed');
    cpSync(join(base, 'template'), root, { recursive: true });
    const dry = createDryRunFiles(filesIn(root), folder);
    await dry.write('/etc/kubernetes/pki/ca.key', Buffer.from('secret'), {
      ...attributes,
      mode: 0o600,
    });
    const levels = [
      'dry/run',
      'dry/run/etc',
      'dry/run/etc/kubernetes',
      'dry/run/etc/kubernetes/pki',
    ];
    for (const level of levels) assert.equal(statSync(join(root, level)).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(root, 'dry/run/etc/kubernetes/pki')), ['ca.key']);
    assert.deepEqual(dry.takeChanges(), [{ kind: 'write', path: '/etc/kubernetes/pki/ca.key' }]);
    assert.deepEqual(dry.takeChanges(), []);
  });
});
