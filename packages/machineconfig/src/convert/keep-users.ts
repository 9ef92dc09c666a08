import {
  managedUserName,
  memberOf,
  type ObjectNode,
  type SyntaxNode,
  shapes,
  withMember,
} from '@slipway/ignition';
import type { ConversionReport } from './conversion-report.ts';
import { keepFields } from './keep-fields.ts';

/** The account of CoreOS hosts that `boot` stands for here. */
const coreUserName = 'core';

/** The users whose SSH keys can be declared: `boot`, and `core` under that name. */
export function keepUsers(report: ConversionReport, users: readonly SyntaxNode[]): SyntaxNode[] {
  const hasBoot = users.some((user) => nameOf(user) === managedUserName);
  return users.flatMap((user) => {
    const name = nameOf(user);
    // Without a name that is a text, validation says what is wrong.
    if (user.kind !== 'object' || name === undefined) return [user];
    if (name === managedUserName) return [keepFields(report, user, shapes.user)];
    if (name === coreUserName && !hasBoot) return keepCore(report, user);
    report.dropped(user, {
      message: `user ${JSON.stringify(name)} is left out: of accounts, only the SSH keys of ${managedUserName} are managed`,
    });
    return [];
  });
}

function keepCore(report: ConversionReport, user: ObjectNode): SyntaxNode[] {
  const shouldExist = memberOf(user, 'shouldExist');
  const isRemoved = shouldExist?.kind === 'boolean' && !shouldExist.value;
  const keys = memberOf(user, 'sshAuthorizedKeys');
  const hasKeys = keys !== undefined && keys.kind !== 'null' && !isEmptyList(keys);
  if (isRemoved || !hasKeys) {
    // An entry without keys would take the keys away that boot has.
    report.dropped(user, {
      message: `user ${coreUserName} is left out: the entry has no SSH keys, and nothing else of an account is managed`,
    });
    return [];
  }
  const name = memberOf(user, 'name');
  report.changed(name ?? user, {
    message: `user ${coreUserName} becomes ${managedUserName}, whose authorized_keys file has these keys and no others`,
    hint: `hosts need an account ${managedUserName}`,
  });
  const renamed: SyntaxNode = { ...name, kind: 'string', value: managedUserName };
  return [keepFields(report, withMember(user, 'name', renamed), shapes.user)];
}

function nameOf(user: SyntaxNode): string | undefined {
  const name = memberOf(user, 'name');
  return name?.kind === 'string' ? name.value : undefined;
}

function isEmptyList(node: SyntaxNode): boolean {
  return node.kind === 'array' && node.items.length === 0;
}
