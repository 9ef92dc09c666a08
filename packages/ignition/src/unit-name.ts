import type { NamedFinding } from './findings.ts';
import { shown } from './path-rules.ts';

/** Extensions of unit names that systemd knows, `snapshot` for old configs. */
const unitExtensions = [
  'service',
  'socket',
  'device',
  'mount',
  'automount',
  'swap',
  'target',
  'path',
  'timer',
  'snapshot',
  'slice',
  'scope',
];
const maxNameBytes = 255;

/** What is wrong with the name of a unit: its extension, its characters and its length. */
export function checkUnitName(name: string): NamedFinding[] {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const found: NamedFinding[] = [];
  if (!(name.includes('.') && unitExtensions.includes(extension))) {
    found.push({
      name: 'unit-extension',
      message: name === '' ? 'the unit has no name' : `${shown(name)} has no known unit extension`,
      hint: 'for example chronyd.service',
    });
  }
  if (name === '') return found;
  if (!/^[A-Za-z0-9:_.\\@-]+$/.test(name)) {
    found.push({
      name: 'unit-name',
      message: `${shown(name)} has a character that no unit name can have`,
      hint: 'allowed are letters, digits and : - _ . \\ @',
    });
  } else if (/^[.@]/.test(name)) {
    found.push({ name: 'unit-name', message: `${shown(name)} has nothing before its extension` });
  } else if (name.length > maxNameBytes) {
    found.push({ name: 'unit-name', message: `the name is longer than ${maxNameBytes} bytes` });
  }
  return found;
}

/** What is wrong with the name of a drop-in: a plain file name that ends in `.conf`. */
export function checkDropinName(name: string): NamedFinding[] {
  if (!name.endsWith('.conf')) {
    return [
      {
        name: 'dropin-extension',
        message: name === '' ? 'the drop-in has no name' : `${shown(name)} does not end in .conf`,
        hint: 'for example 10-limits.conf',
      },
    ];
  }
  // What a file system takes as one name; a leading dot would hide it from systemd.
  const isName = !name.startsWith('.') && !/[/\\\s\p{Cc}]/u.test(name);
  if (isName && new TextEncoder().encode(name).length <= maxNameBytes) return [];
  return [{ name: 'dropin-name', message: `${shown(name)} is no name for a drop-in` }];
}

/** Parts of an instance such as `echo@left.service`; `undefined` for other names and for templates. */
export function templateOf(name: string): string | undefined {
  const at = name.indexOf('@');
  const dot = name.lastIndexOf('.');
  if (at < 1 || dot <= at + 1) return undefined;
  return name.slice(0, at + 1) + name.slice(dot);
}
