import { dropinPath, unitPath } from './effective.ts';
import { type Findings, memberPath, type Place, type Placed } from './findings.ts';
import type { IgnitionFile } from './model.ts';
import { authorizedKeysPath, maxPathBytes, shown } from './path-rules.ts';
import type { ReadUnit } from './read-unit.ts';
import { templateOf } from './unit-name.ts';

/** A file with where it was declared. */
export type PlacedFile = { readonly file: IgnitionFile; readonly value: Placed };

/** What a config declares, as far as entries can be in each other's way. */
export type Declared = {
  readonly files: readonly PlacedFile[];
  readonly units: readonly ReadUnit[];
  readonly managesKeys: boolean;
};

/** Reports entries of one list that have the same key; each after the first. */
export function checkDuplicates(
  findings: Findings,
  entries: readonly { readonly key: string; readonly value: Placed }[],
  what: string,
): void {
  const first = new Map<string, string>();
  for (const { key, value } of entries) {
    const earlier = first.get(key);
    if (key === '') continue; // A missing key has its own finding.
    if (earlier === undefined) first.set(key, value.path);
    else {
      findings.add('duplicate-entry', value, {
        message: `${what} ${shown(key)} is declared twice, first at ${earlier}`,
      });
    }
  }
}

/** Checks what no entry shows on its own: paths in each other's way, and templates without [Install]. */
export function checkAcross(findings: Findings, declared: Declared): void {
  checkUnitPaths(findings, declared);
  checkAncestors(findings, declared);
  checkTemplates(findings, declared.units);
}

type Owner = { readonly path: string; readonly what: string; readonly place: Place };

/** Paths that units, drop-ins, masks and SSH keys occupy. */
function ownersOf({ units, managesKeys }: Declared): Owner[] {
  const owners = units
    .filter(({ unit }) => unit.name !== '')
    .flatMap((read) => [...unitOwner(read), ...dropinOwners(read)]);
  if (managesKeys) {
    owners.push({ path: authorizedKeysPath, what: 'the SSH keys', place: { path: '' } });
  }
  return owners;
}

function unitOwner({ unit, value }: ReadUnit): Owner[] {
  const isMasked = unit.mask === true;
  if (!isMasked && (unit.contents ?? '') === '') return [];
  const what = isMasked ? `the mask of ${unit.name}` : `unit ${unit.name}`;
  return [{ path: unitPath(unit.name), what, place: placeOf(value) }];
}

function dropinOwners({ unit, dropins }: ReadUnit): Owner[] {
  const owners: Owner[] = [];
  for (const [index, dropin] of unit.dropins.entries()) {
    const value = dropins[index];
    if ((dropin.contents ?? '') === '' || value === undefined) continue;
    owners.push({
      path: dropinPath(unit.name, dropin.name),
      what: `drop-in ${dropin.name} of ${unit.name}`,
      place: placeOf(value),
    });
  }
  return owners;
}

function placeOf({ node, path }: Placed): Place {
  return { path, range: node.range };
}

function filePlace({ value }: PlacedFile): Place {
  const { node } = value;
  const path = memberPath(value.path, 'path');
  if (node.kind !== 'object') return { path, range: node.range };
  const member = node.members.findLast(({ key }) => key === 'path');
  return { path, range: member?.value.range ?? node.range };
}

function checkUnitPaths(findings: Findings, declared: Declared): void {
  const owners = new Map(ownersOf(declared).map((owner) => [owner.path, owner]));
  for (const file of declared.files) {
    const owner = owners.get(file.file.path);
    if (owner === undefined) continue;
    const isKeys = owner.path === authorizedKeysPath;
    findings.add(isKeys ? 'path-conflicts-ssh-keys' : 'path-conflicts-unit', filePlace(file), {
      message: `${owner.what} is written to the same path`,
      hint: isKeys ? 'declare the keys in passwd.users only' : 'declare it in systemd.units only',
    });
  }
}

/** A path below another one that is a file cannot be written. */
function checkAncestors(findings: Findings, declared: Declared): void {
  const owners = ownersOf(declared);
  const files = declared.files.map(
    (file): Owner => ({
      path: file.file.path,
      what: `file ${file.file.path}`,
      place: filePlace(file),
    }),
  );
  const all = [...files, ...owners];
  const byPath = new Map(all.map((owner) => [owner.path, owner]));
  for (const { path, place } of all) {
    if (path.length > maxPathBytes) continue;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const ancestor = byPath.get(path.slice(0, end));
      if (ancestor === undefined) continue;
      // The keys have no place of their own: the file that is in their way has.
      const reported = place.path === '' ? ancestor.place : place;
      findings.add('path-under-file', reported, {
        message: `${path} lies below ${ancestor.what}, which is a file`,
      });
    }
  }
}

function checkTemplates(findings: Findings, units: readonly ReadUnit[]): void {
  const byName = new Map(units.map((read) => [read.unit.name, read]));
  for (const { unit, value } of units) {
    const template = unit.enabled === true ? templateOf(unit.name) : undefined;
    const text = template === undefined ? undefined : byName.get(template)?.text;
    if (text === undefined || text.options.some(({ section }) => section === 'Install')) continue;
    findings.add('template-no-install', value, {
      message: `${unit.name} is enabled, but its template ${template} has no [Install] section`,
      hint: 'add [Install] to the template',
    });
  }
}
