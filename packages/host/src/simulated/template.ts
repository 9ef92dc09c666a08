import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Ownership } from '../file/ownership.ts';
import { directories, files, links, programs } from './template-files.ts';
import { enabledUnits, vendorPresets, vendorUnits } from './template-units.ts';

const programText = '#!/bin/sh\n# Stands for the program of this name on a simulated host.\n';

/**
 * Makes the root folder of a new host, unless there is one. It appears under its name only when
 * it is complete, so a kill in between leaves nothing that looks like a host.
 */
export async function makeRoot(root: string, name: string, ownership: Ownership): Promise<void> {
  if (existsSync(root)) return;
  const unfinished = `${root}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  chmodSync(unfinished, 0o755);
  for (const { path, mode } of directories) makeFolder(unfinished, path, mode);
  for (const { path, content, mode } of filesOf(name)) {
    writeFileSync(join(unfinished, path), content);
    chmodSync(join(unfinished, path), mode ?? 0o644);
  }
  makeLinks(unfinished);
  for (const { path, owner } of directories) {
    if (owner === undefined) continue;
    await ownership.set(join(unfinished, path), { uid: owner, gid: owner });
  }
  renameSync(unfinished, root);
}

/** Parents get mode 0755 whatever the umask of this process is. */
function makeFolder(root: string, path: string, mode = 0o755): void {
  const names = path.split('/');
  for (const [index] of names.entries()) {
    const at = join(root, ...names.slice(0, index + 1));
    if (existsSync(at)) continue;
    mkdirSync(at);
    chmodSync(at, index === names.length - 1 ? mode : 0o755);
  }
}

function* filesOf(name: string) {
  yield* files;
  yield { path: 'etc/hostname', content: `${name}\n`, mode: 0o644 };
  for (const path of programs) yield { path, content: programText, mode: 0o755 };
  for (const [unit, content] of Object.entries(vendorUnits)) {
    yield { path: `usr/lib/systemd/system/${unit}`, content, mode: 0o644 };
  }
  for (const [preset, content] of Object.entries(vendorPresets)) {
    yield { path: `usr/lib/systemd/system-preset/${preset}`, content, mode: 0o644 };
  }
}

function makeLinks(root: string): void {
  const units = 'usr/lib/systemd/system';
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  symlinkSync('multi-user.target', join(root, units, 'default.target'));
  symlinkSync(
    '../systemd-sysctl.service',
    join(root, units, 'sysinit.target.wants/systemd-sysctl.service'),
  );
  for (const unit of enabledUnits) {
    const link = join(root, 'etc/systemd/system/multi-user.target.wants', unit);
    symlinkSync(`/${units}/${unit}`, link);
  }
}
