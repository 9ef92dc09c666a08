import {
  authorizedKeysText,
  decodeContents,
  dropinPath,
  fileGroup,
  fileMode,
  fileUser,
  type IgnitionOwner,
  managedUserName,
  unitPath,
} from '@slipway/ignition';
import type { HostConfig } from '../diff/config-diff.ts';

/** Something that a host gets at a path. */
export type TreeEntry = {
  readonly path: string;
  readonly user: IgnitionOwner;
  readonly group: IgnitionOwner;
} & (
  | { readonly type: 'file'; readonly mode: number; readonly bytes: Uint8Array }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'symlink'; readonly target: string }
);

const root = { user: { id: 0 }, group: { id: 0 } } as const;
const unitMode = 0o644;

/**
 * The files of a configuration as a host gets them, directories before what is in them: files, unit
 * files and drop-ins, masks, SSH keys. Links that enable units are systemd's and are not among them.
 */
export function hostTree({ ignition }: HostConfig): readonly TreeEntry[] {
  const files = ignition.files.map((file): TreeEntry => {
    const owner = { user: fileUser(file), group: fileGroup(file) };
    return {
      path: file.path,
      type: 'file',
      mode: fileMode(file),
      bytes: decodeContents(file),
      ...owner,
    };
  });
  const units = ignition.units.flatMap((unit): readonly TreeEntry[] => {
    const path = unitPath(unit.name);
    const dropins = unit.dropins.flatMap(({ name, contents = '' }) =>
      contents === '' ? [] : [textFile(dropinPath(unit.name, name), contents)],
    );
    if (unit.mask === true)
      return [{ path, type: 'symlink', target: '/dev/null', ...root }, ...dropins];
    const contents = unit.contents ?? '';
    return contents === '' ? dropins : [textFile(path, contents), ...dropins];
  });
  return [...files, ...units, ...keyEntries(authorizedKeysText(ignition))];
}

function textFile(path: string, text: string): TreeEntry {
  return { path, type: 'file', mode: unitMode, bytes: new TextEncoder().encode(text), ...root };
}

function keyEntries(keys: string | undefined): readonly TreeEntry[] {
  if (keys === undefined) return [];
  const directory = `/home/${managedUserName}/.ssh`;
  const owner = { user: { name: managedUserName }, group: { name: managedUserName } };
  return [
    { path: directory, type: 'directory', mode: 0o700, ...owner },
    {
      path: `${directory}/authorized_keys`,
      type: 'file',
      mode: 0o600,
      bytes: new TextEncoder().encode(keys),
      ...owner,
    },
  ];
}
