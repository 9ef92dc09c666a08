import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { describeError } from '@slipway/base';
import type { HostFiles } from '../host.ts';
import { createHostFiles } from './host-files.ts';
import { noLabels } from './labels.ts';
import { realOwnership } from './ownership.ts';
import { newTemporaryName } from './temporary-name.ts';

const own = { mode: 0o644, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const text = (content: string) => new TextEncoder().encode(content);

async function withRoot(
  body: (files: HostFiles, root: string, outside: string) => Promise<void>,
): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'slipway-files-'));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  mkdirSync(join(root, 'etc'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  try {
    await body(
      createHostFiles({ root, ownership: realOwnership, labels: noLabels }),
      root,
      outside,
    );
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const failsWith = (code: string, words?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Error && 'code' in error, String(error));
  assert.equal(error.code, code, describeError(error));
  if (words !== undefined) assert.match(error.message, words);
  return true;
};

suite('host files', () => {
  test('a write sets content, mode and owner and leaves nothing else behind', () =>
    withRoot(async (files, root) => {
      await files.write('/etc/a', text('one'), { ...own, mode: 0o4755 });
      await files.write('/etc/a', text('two'), { ...own, mode: 0o640 });
      assert.equal(readFileSync(join(root, 'etc/a'), 'utf8'), 'two');
      const stat = await files.stat('/etc/a');
      assert.deepEqual([stat?.type, stat?.mode, stat?.uid], ['file', 0o640, own.uid]);
      assert.deepEqual(readdirSync(join(root, 'etc')), ['a']);
    }));

  test('the umask has no say in modes', () =>
    withRoot(async (files) => {
      const before = process.umask(0o077);
      try {
        await files.write('/etc/a', text(''), { ...own, mode: 0o4777 });
        await files.makeDirectory('/etc/d/e', { ...own, mode: 0o1777 });
      } finally {
        process.umask(before);
      }
      assert.equal((await files.stat('/etc/a'))?.mode, 0o4777);
      assert.equal((await files.stat('/etc/d'))?.mode, 0o1777);
    }));

  test('a symbolic link at the target is replaced, never followed', () =>
    withRoot(async (files, root, outside) => {
      symlinkSync(join(outside, 'secret'), join(root, 'etc/link'));
      await assert.rejects(files.read('/etc/link'), failsWith('host.file.not-a-file'));
      await assert.rejects(
        files.setAttributes('/etc/link', own),
        failsWith('host.file.not-a-file'),
      );
      await files.write('/etc/link', text('ours'), own);
      assert.equal((await files.stat('/etc/link'))?.type, 'file');
      assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
    }));

  test('parents that are links resolve inside the root', () =>
    withRoot(async (files, root, outside) => {
      mkdirSync(join(root, 'usr/lib'), { recursive: true });
      symlinkSync('usr/lib', join(root, 'lib'));
      symlinkSync('/usr/lib', join(root, 'absolute'));
      symlinkSync('../../../../../../usr', join(root, 'up'));
      symlinkSync(outside, join(root, 'out'));
      await files.write('/lib/a', text('a'), own);
      await files.write('/absolute/b', text('b'), own);
      await files.write('/up/lib/c', text('c'), own);
      assert.deepEqual(readdirSync(join(root, 'usr/lib')), ['a', 'b', 'c']);
      assert.equal(await files.stat('/out/secret'), undefined);
      await assert.rejects(
        files.write('/out/d', text('d'), own),
        failsWith('host.file.dangling-link'),
      );
      assert.deepEqual(readdirSync(outside), ['secret']);
    }));

  test('links in a circle are an error', () =>
    withRoot(async (files, root) => {
      symlinkSync('b', join(root, 'a'));
      symlinkSync('a', join(root, 'b'));
      await assert.rejects(files.stat('/a/x'), failsWith('host.file.too-many-links'));
    }));

  const invalid = ['etc/a', '', '/etc/../a', '/etc/a\0b'];
  for (const path of invalid) {
    test(`path ${JSON.stringify(path)} is refused`, () =>
      withRoot((files) => assert.rejects(files.stat(path), failsWith('host.path.invalid'))));
  }

  test('staged files wait for their commit and can be discarded', () =>
    withRoot(async (files, root) => {
      const kept = await files.stage('/etc/a', text('a'), own);
      const dropped = await files.stage('/etc/b', text('b'), own);
      assert.equal(await files.stat('/etc/a'), undefined);
      assert.deepEqual(await files.removeStaleTemporaries('/etc'), []);
      await files.commit(kept);
      await files.discard(dropped);
      await files.discard(dropped);
      assert.deepEqual(readdirSync(join(root, 'etc')), ['a']);
      await assert.rejects(files.commit(dropped), failsWith('host.file.missing'));
    }));

  test('a staged file of a journal that was tampered with is not used', () =>
    withRoot(async (files) => {
      const forged = { path: '/etc/a', temporary: '/etc/passwd' };
      await assert.rejects(files.commit(forged), failsWith('host.file.foreign-temporary'));
      const elsewhere = { path: '/etc/a', temporary: `/tmp/${newTemporaryName()}` };
      await assert.rejects(files.discard(elsewhere), failsWith('host.file.foreign-temporary'));
    }));

  test('leftovers of an earlier process are swept', () =>
    withRoot(async (files, root) => {
      const name = newTemporaryName();
      writeFileSync(join(root, 'etc', name), 'half');
      writeFileSync(join(root, 'etc/.slipway-tmp-notes'), 'not ours');
      assert.deepEqual(await files.removeStaleTemporaries('/etc'), [`/etc/${name}`]);
      assert.deepEqual(readdirSync(join(root, 'etc')), ['.slipway-tmp-notes']);
      assert.deepEqual(await files.removeStaleTemporaries('/nowhere'), []);
    }));

  test('a directory is never replaced by a file or link', () =>
    withRoot(async (files, root) => {
      mkdirSync(join(root, 'etc/d'));
      await assert.rejects(
        files.stage('/etc/d', text(''), own),
        failsWith('host.file.is-a-directory'),
      );
      await assert.rejects(
        files.symlink('/etc/d', '/dev/null'),
        failsWith('host.file.is-a-directory'),
      );
      await assert.rejects(files.write('/', text(''), own), failsWith('host.file.is-a-directory'));
      assert.deepEqual(readdirSync(join(root, 'etc')), ['d']);
    }));

  test('links are created and replaced', () =>
    withRoot(async (files) => {
      await files.symlink('/etc/link', '/dev/null');
      await files.symlink('/etc/link', '../usr/lib');
      assert.equal(await files.readLink('/etc/link'), '../usr/lib');
      await files.write('/etc/file', text(''), own);
      await assert.rejects(files.readLink('/etc/file'), failsWith('host.file.not-a-file'));
    }));

  test('directories are made with their parents and removed when empty', () =>
    withRoot(async (files) => {
      assert.deepEqual(await files.makeDirectory('/etc/a/b/c', { ...own, mode: 0o755 }), [
        '/etc/a',
        '/etc/a/b',
        '/etc/a/b/c',
      ]);
      assert.deepEqual(await files.makeDirectory('/etc/a/b', { ...own, mode: 0o700 }), []);
      assert.equal((await files.stat('/etc/a/b'))?.mode, 0o755);
      assert.equal(await files.removeDirectory('/etc/a'), false);
      assert.equal(await files.removeDirectory('/etc/a/b/c'), true);
      assert.equal(await files.removeDirectory('/etc/a/b/c'), false);
      await files.write('/etc/file', text(''), own);
      assert.equal(await files.removeDirectory('/etc/file'), false);
      await assert.rejects(
        files.makeDirectory('/etc/file/x', own),
        failsWith('host.file.not-a-directory', /\/etc\/file is not a directory/),
      );
    }));

  test('removing is idempotent and spares directories', () =>
    withRoot(async (files, root) => {
      await files.write('/etc/a', text(''), own);
      await files.remove('/etc/a');
      await files.remove('/etc/a');
      await files.remove('/nowhere/a');
      mkdirSync(join(root, 'etc/d'));
      await assert.rejects(files.remove('/etc/d'));
      assert.ok(existsSync(join(root, 'etc/d')));
    }));

  test('lists are sorted, a missing directory is empty', () =>
    withRoot(async (files, root) => {
      for (const name of ['b', 'a', 'C']) writeFileSync(join(root, 'etc', name), '');
      symlinkSync('etc', join(root, 'conf'));
      assert.deepEqual(await files.list('/conf'), ['C', 'a', 'b']);
      assert.deepEqual(await files.list('/nowhere'), []);
    }));

  test('refusals say what is wrong', () =>
    withRoot(async (files, root) => {
      writeFileSync(join(root, 'etc/file'), '');
      symlinkSync('/nowhere', join(root, 'dangling'));
      const rows: readonly (readonly [string, string | undefined])[] = [
        ['/', '/ is the root directory'],
        ['/etc', undefined],
        ['/etc/new/deeper', undefined],
        ['/etc/file/x', '/etc/file is not a directory'],
        ['/dangling/x', '/dangling/x leads through a symbolic link to /, which has no nowhere'],
      ];
      for (const [path, want] of rows) assert.equal(await files.writeRefusal(path), want, path);
      assert.ok((await files.freeBytes('/etc/new')) > 0);
    }));

  test('a directory without permission is refused', { skip: rootSkip() }, () =>
    withRoot(async (files, root) => {
      chmodSync(join(root, 'etc'), 0o500);
      assert.equal(await files.writeRefusal('/etc'), '/etc is not writable by this process');
    }),
  );

  test('kernel interfaces are refused', async () => {
    const files = createHostFiles({ root: '/', ownership: realOwnership, labels: noLabels });
    const refusal = await files.writeRefusal('/proc/sys/net');
    assert.match(refusal ?? '', /kernel interface \(proc\)/);
  });
});

function rootSkip(): string | false {
  return process.getuid?.() === 0 && 'root may write everywhere';
}
