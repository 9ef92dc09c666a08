import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import { watchPaths } from './watch-paths.ts';

/** Watches `path` in a root made by `prepare`; `seen` resolves with the event that follows an act. */
async function watching(
  path: string,
  prepare: (root: string) => void,
  body: (root: string, seen: (act: () => void) => Promise<void>) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'slipway-watch-'));
  let wake = () => {};
  try {
    prepare(root);
    await using _watch = watchPaths({
      root,
      paths: [path],
      clock: systemClock,
      onChange: (changed) => {
        assert.equal(changed, path);
        wake();
      },
    });
    await body(root, async (act) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      using _timer = systemClock.timer(2000, () => reject(new Error(`no event: ${act}`)));
      wake = resolve;
      act();
      await promise;
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const make = (root: string, path: string, content = '') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

suite('watch', () => {
  test('content, mode, replacement and removal of a file are seen', () =>
    watching(
      '/etc/a',
      (root) => make(root, 'etc/a'),
      async (root, seen) => {
        const file = join(root, 'etc/a');
        await seen(() => writeFileSync(file, 'x'));
        await seen(() => chmodSync(file, 0o600));
        await seen(() => {
          writeFileSync(join(root, 'etc/new'), 'y');
          renameSync(join(root, 'etc/new'), file);
        });
        await seen(() => writeFileSync(file, 'z'));
        await seen(() => rmSync(file));
        await seen(() => symlinkSync('/dev/null', file));
      },
    ));

  test('a path whose parents do not exist yet is seen when it appears, and after', () =>
    watching(
      '/a/b/c/file',
      () => undefined,
      async (root, seen) => {
        await seen(() => mkdirSync(join(root, 'a')));
        await seen(() => mkdirSync(join(root, 'a/b/c'), { recursive: true }));
        await seen(() => writeFileSync(join(root, 'a/b/c/file'), 'x'));
        await seen(() => rmSync(join(root, 'a'), { recursive: true }));
        await seen(() => make(root, 'a/b/c/file', 'all at once'));
        await seen(() => writeFileSync(join(root, 'a/b/c/file'), 'y'));
      },
    ));

  test('a parent that is replaced is seen, and the new one is watched', () =>
    watching(
      '/etc/d/file',
      (root) => make(root, 'etc/d/file'),
      async (root, seen) => {
        await seen(() => renameSync(join(root, 'etc/d'), join(root, 'etc/old')));
        await seen(() => make(root, 'etc/d/file', 'new'));
        await seen(() => writeFileSync(join(root, 'etc/d/file'), 'newer'));
        await seen(() => {
          rmSync(join(root, 'etc'), { recursive: true });
          make(root, 'etc/d/file', 'again');
        });
        await seen(() => writeFileSync(join(root, 'etc/d/file'), 'and again'));
      },
    ));

  test('a parent that is a link is followed, and its replacement is seen', () =>
    watching(
      '/lib/unit',
      (root) => {
        make(root, 'usr/lib/unit');
        make(root, 'opt/lib/unit');
        symlinkSync('usr/lib', join(root, 'lib'));
      },
      async (root, seen) => {
        await seen(() => writeFileSync(join(root, 'usr/lib/unit'), 'x'));
        await seen(() => {
          rmSync(join(root, 'lib'));
          symlinkSync('opt/lib', join(root, 'lib'));
        });
        await seen(() => writeFileSync(join(root, 'opt/lib/unit'), 'x'));
      },
    ));

  test('entries of a watched directory are seen', () =>
    watching(
      '/etc/x.d',
      (root) => make(root, 'etc/x.d/a'),
      async (root, seen) => {
        await seen(() => writeFileSync(join(root, 'etc/x.d/b'), ''));
        await seen(() => rmSync(join(root, 'etc/x.d'), { recursive: true }));
        await seen(() => make(root, 'etc/x.d/c'));
      },
    ));

  test('after closing nothing is told', async () => {
    const root = mkdtempSync(join(tmpdir(), 'slipway-watch-'));
    try {
      let events = 0;
      const onChange = () => {
        events += 1;
      };
      const first = watchPaths({ root, paths: ['/a'], onChange, clock: systemClock });
      await first[Symbol.asyncDispose]();
      const { promise, resolve } = Promise.withResolvers<void>();
      await using _second = watchPaths({
        root,
        paths: ['/a'],
        onChange: () => resolve(),
        clock: systemClock,
      });
      writeFileSync(join(root, 'a'), '');
      await promise;
      assert.equal(events, 0);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
