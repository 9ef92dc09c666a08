import type { Account, Accounts } from '@slipway/host';
import {
  authorizedKeysText,
  decodeContents,
  dropinPath,
  fileGroup,
  fileMode,
  fileUser,
  type IgnitionFile,
  type IgnitionOwner,
  type IgnitionUnit,
  managedUserName,
  unitPath,
} from '@slipway/ignition';
import type { HostConfig } from '@slipway/machineconfig';
import { digestOf } from '../state/digest.ts';
import type { ExpectedPath, ExpectedState, ExpectedUnit, OwnerProblem } from './expected-state.ts';
import { installSection, maskTarget, templateUnit } from './unit-paths.ts';

/** What no file is owned by: marks a name that the host does not know. */
const unresolved = -1;

type Attributes = { readonly mode: number; readonly uid: number; readonly gid: number };

class Expectation {
  readonly paths: ExpectedPath[] = [];
  readonly units: ExpectedUnit[] = [];
  readonly contents = new Map<string, Uint8Array>();
  readonly problems: OwnerProblem[] = [];

  addFile(entry: Omit<ExpectedPath, 'image'>, content: Uint8Array, attributes: Attributes): void {
    const digest = digestOf(content);
    this.contents.set(digest, content);
    const image = { type: 'file', digest, sizeBytes: content.length, ...attributes } as const;
    this.paths.push({ ...entry, image });
  }
}

/** Works out what the host should show for a configuration, asking the host only for its accounts. */
export async function expectState(config: HostConfig, accounts: Accounts): Promise<ExpectedState> {
  const { ignition } = config;
  const expectation = new Expectation();
  for (const file of ignition.files) await addDeclaredFile(expectation, file, accounts);
  for (const unit of ignition.units) addUnit(expectation, unit);
  const keys = authorizedKeysText(ignition);
  if (keys !== undefined) addKeys(expectation, keys, await accounts.user(managedUserName));
  const { paths, contents, problems } = expectation;
  const units = expectation.units.map((unit) => withTemplate(unit, expectation.units));
  return { paths, units, contents, problems };
}

async function addDeclaredFile(
  expectation: Expectation,
  file: IgnitionFile,
  accounts: Accounts,
): Promise<void> {
  const { path } = file;
  const user = fileUser(file);
  const group = fileGroup(file);
  const uid = user.name === undefined ? user.id : (await accounts.user(user.name))?.uid;
  const gid = group.name === undefined ? group.id : (await accounts.group(group.name))?.gid;
  const unknown: string[] = [];
  if (uid === undefined) unknown.push(`user ${user.name}`);
  if (gid === undefined) unknown.push(`group ${group.name}`);
  for (const name of unknown) {
    const message = `set owner of ${path}: the host has no ${name}`;
    expectation.problems.push({ path, message, ssh: false });
  }
  expectation.addFile(
    { path, role: 'file', owner: `${wordOwner(user)}:${wordOwner(group)}` },
    decodeContents(file),
    { mode: fileMode(file), uid: uid ?? unresolved, gid: gid ?? unresolved },
  );
}

function wordOwner(owner: IgnitionOwner): string {
  return owner.name ?? String(owner.id ?? 0);
}

const rootFile: Attributes = { mode: 0o644, uid: 0, gid: 0 };

function addUnit(expectation: Expectation, unit: IgnitionUnit): void {
  const masked = unit.mask === true;
  const entry = { path: unitPath(unit.name), role: 'unit', owner: '0:0' } as const;
  const contents = unit.contents ?? '';
  const owned = !masked && contents !== '';
  if (masked) {
    expectation.paths.push({ ...entry, image: { type: 'symlink', target: maskTarget } });
  } else if (owned) {
    expectation.addFile(entry, encode(contents), rootFile);
  } else if (unit.mask === false) {
    expectation.paths.push({ ...entry, image: { type: 'absent' }, accepts: 'not-masked' });
  }
  for (const dropin of unit.dropins) {
    if (dropin.contents === undefined) continue;
    const path = dropinPath(unit.name, dropin.name);
    const place = { path, role: 'dropin', owner: '0:0' } as const;
    if (dropin.contents === '') expectation.paths.push({ ...place, image: { type: 'absent' } });
    else expectation.addFile(place, encode(dropin.contents), rootFile);
  }
  expectation.units.push({
    name: unit.name,
    ...(unit.enabled === undefined || masked ? {} : { enabled: unit.enabled }),
    masked,
    owned,
    install: owned ? installSection(contents) : [],
  });
}

/** An instance without a file of its own is what its declared template is: ours, with its [Install]. */
function withTemplate(unit: ExpectedUnit, all: readonly ExpectedUnit[]): ExpectedUnit {
  if (unit.owned || unit.masked) return unit;
  const template = all.find(({ name }) => name === templateUnit(unit.name));
  return template?.owned === true ? { ...unit, owned: true, install: template.install } : unit;
}

function addKeys(expectation: Expectation, text: string, account: Account | undefined): void {
  const directory = `${account?.home ?? `/home/${managedUserName}`}/.ssh`;
  const ids = { uid: account?.uid ?? unresolved, gid: account?.gid ?? unresolved };
  const path = `${directory}/authorized_keys`;
  if (account === undefined) {
    const message = `write SSH keys of ${managedUserName}: the host has no such user`;
    expectation.problems.push({ path, message, ssh: true });
  }
  const owner = `${managedUserName}:${managedUserName}`;
  const image = { type: 'directory', mode: 0o700, ...ids } as const;
  expectation.paths.push({ path: directory, role: 'ssh', owner, image });
  expectation.addFile({ path, role: 'ssh', owner }, encode(text), { mode: 0o600, ...ids });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
