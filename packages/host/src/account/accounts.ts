import { terminal } from '../errors.ts';
import type { Account, Accounts, Group, HostFiles, HostPath } from '../host.ts';

/**
 * Accounts from the host's own files (`passwd(5)`, `group(5)`), read anew at each question: they are
 * small, and a daemon must see the user that was just created.
 */
export function createAccounts(files: HostFiles): Accounts {
  return {
    async user(nameOrId) {
      const rows = await readRows(files, '/etc/passwd');
      return rows.map(accountOf).find((account) => matches(account, account?.uid, nameOrId));
    },
    async group(nameOrId) {
      const rows = await readRows(files, '/etc/group');
      return rows.map(groupOf).find((group) => matches(group, group?.gid, nameOrId));
    },
  };
}

type Named = { readonly name: string } | undefined;

function matches(found: Named, id: number | undefined, nameOrId: string | number): boolean {
  if (found === undefined) return false;
  return typeof nameOrId === 'number' ? id === nameOrId : found.name === nameOrId;
}

async function readRows(files: HostFiles, path: HostPath): Promise<readonly string[][]> {
  try {
    const content = new TextDecoder().decode(await files.read(path));
    return content.split('\n').map((line) => line.split(':'));
  } catch (error) {
    throw terminal('host.account.unreadable', `read accounts in ${path}`, error);
  }
}

/** Lines that are no entries (comments, `+` of NIS, half lines) are passed over, as libc does. */
function accountOf(row: readonly string[]): Account | undefined {
  const [name = '', , uid = '', gid = '', , home = ''] = row;
  if (!isName(name) || !isId(uid) || !isId(gid)) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home: home === '' ? '/' : home };
}

function groupOf(row: readonly string[]): Group | undefined {
  const [name = '', , gid = ''] = row;
  return isName(name) && isId(gid) ? { name, gid: Number(gid) } : undefined;
}

function isName(name: string): boolean {
  return name !== '' && !/^[#+-]/.test(name);
}

function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text);
}
