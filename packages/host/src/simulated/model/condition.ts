import type { HostFiles } from '../../host.ts';
import { followLinks } from './unit-search.ts';
import type { Settings } from './unit-text.ts';

type Check = (files: HostFiles, path: string) => Promise<boolean>;

/** The conditions of `systemd.unit(5)` that look at files; all others count as met. */
const checks: Readonly<Record<string, Check>> = {
  PathExists: async (files, path) => (await final(files, path)) !== undefined,
  PathIsDirectory: async (files, path) => (await final(files, path))?.type === 'directory',
  PathIsSymbolicLink: async (files, path) => (await files.stat(path))?.type === 'symlink',
  FileNotEmpty: async (files, path) => ((await final(files, path))?.sizeBytes ?? 0) > 0,
  FileIsExecutable: async (files, path) => ((await final(files, path))?.mode ?? 0) % 0o1000 !== 0,
  DirectoryNotEmpty: async (files, path) => (await files.list(path)).length > 0,
};

async function final(files: HostFiles, path: string) {
  return await files.stat(await followLinks(files, path));
}

/** Whether every `Condition…=` (or `Assert…=`) of a unit is met; `!` in front turns one round. */
export async function meetsAll(
  files: HostFiles,
  settings: Settings,
  kind: 'Condition' | 'Assert',
): Promise<boolean> {
  for (const [name, check] of Object.entries(checks)) {
    for (const value of settings[`Unit.${kind}${name}`] ?? []) {
      const path = value.replace(/^[|!]+/, '');
      const negated = /^[|]?!/.test(value);
      if ((await check(files, path)) === negated) return false;
    }
  }
  return true;
}
