import { itemsOf, readFields } from './fields.ts';
import { type Findings, memberPath, missingIn, type Placed } from './findings.ts';
import { managedUserName } from './model.ts';
import { shown } from './path-rules.ts';
import { shapes } from './schema.ts';
import { checkSshKey } from './ssh-key.ts';

export type ReadUser = {
  readonly value: Placed;
  readonly name: string;
  readonly keys: readonly string[];
};

/** Reads one entry of `passwd.users`. */
export function readUser(findings: Findings, given: Placed): ReadUser {
  const value = withoutAlias(findings, given);
  const fields = readFields(findings, value, shapes.user);
  const name = fields.get('name');
  const userName = name?.node.value ?? '';
  if (userName === '' && !fields.isMistyped('name')) {
    findings.add('user-name-required', name ?? missingIn(value, 'name'), {
      message: 'the entry names no user',
      hint: `add name: ${managedUserName}`,
    });
  } else if (name !== undefined && userName !== managedUserName) {
    findings.add('user-not-allowed', name, {
      message: `user ${shown(userName)} is not managed: only the SSH keys of ${managedUserName} are`,
    });
  }
  return {
    value,
    name: userName,
    keys: readKeys(findings, itemsOf(fields.get('sshAuthorizedKeys'))),
  };
}

function readKeys(findings: Findings, entries: readonly Placed[]): string[] {
  const keys: string[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const { node } = entry;
    if (node.kind !== 'string') {
      findings.add('json-type', entry, { message: 'must be a text: one SSH key' });
      continue;
    }
    const fault = checkSshKey(node.value);
    if (fault) findings.add(fault.name, entry, fault);
    const key = node.value.trim();
    if (seen.has(key))
      findings.add('duplicate-entry', entry, { message: 'the key is listed twice' });
    seen.add(key);
    keys.push(key);
  }
  return keys;
}

/** Published samples write `user:` for `name:`; it is taken as that, with a warning. */
function withoutAlias(findings: Findings, value: Placed): Placed {
  const { node } = value;
  if (node.kind !== 'object' || node.members.some(({ key }) => key === 'name')) return value;
  const alias = node.members.find(({ key }) => key === 'user');
  if (alias === undefined) return value;
  findings.add(
    'user-alias',
    { path: memberPath(value.path, 'user'), range: alias.range },
    { message: '"user" is not a field of Ignition; it is read as "name"', hint: 'write name:' },
  );
  const members = node.members.map((member) =>
    member === alias ? { ...member, key: 'name' } : member,
  );
  return { ...value, node: { ...node, members } };
}
