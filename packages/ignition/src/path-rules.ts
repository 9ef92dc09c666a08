import type { NamedFinding } from './findings.ts';
import { managedUserName } from './model.ts';

/** The file whose creation makes the daemon reapply everything. */
const forceFilePath = '/run/machine-config-daemon-force';

/** The file that the SSH keys of `boot` are written to. */
export const authorizedKeysPath = `/home/${managedUserName}/.ssh/authorized_keys`;

const kernelDirectories = ['/proc', '/sys', '/dev'];
const volatileDirectories = ['/run', '/tmp', '/var/run'];
const maxNameBytes = 255;
/** What Linux takes as a path. */
export const maxPathBytes = 4095;

/** What is wrong with the path of a file, first matching rule of its spelling, then those of its place. */
export function checkPath(path: string, rootFiles: 'refuse' | 'warn'): NamedFinding[] {
  const spelling = checkSpelling(path);
  if (spelling !== undefined) return [spelling];
  const place = checkPlace(path, rootFiles);
  return place === undefined ? [] : [place];
}

function checkSpelling(path: string): NamedFinding | undefined {
  if (path === '') return { name: 'path-empty', message: 'the file has no path' };
  if (!path.startsWith('/')) {
    return { name: 'path-relative', message: `${shown(path)} is not absolute` };
  }
  if (path === '/') return { name: 'path-root', message: 'the root directory is not a file' };
  const clean = cleanPath(path);
  if (clean !== path) {
    return {
      name: 'path-unclean',
      message: `${shown(path)} is not in its simplest form`,
      ...(clean === '/' ? {} : { hint: `write ${clean}` }),
    };
  }
  const control = controlCharacterIn(path);
  if (control !== undefined) {
    return {
      name: 'path-control-character',
      message: `the path contains the control character ${control}`,
    };
  }
  return checkLength(path);
}

function checkLength(path: string): NamedFinding | undefined {
  if (path.length * 3 <= maxNameBytes) return undefined;
  const encoder = new TextEncoder();
  if (encoder.encode(path).length > maxPathBytes) {
    return { name: 'path-too-long', message: `the path is longer than ${maxPathBytes} bytes` };
  }
  const long = path.split('/').find((name) => encoder.encode(name).length > maxNameBytes);
  if (long === undefined) return undefined;
  return {
    name: 'path-too-long',
    message: `a name in the path is longer than ${maxNameBytes} bytes`,
  };
}

function checkPlace(path: string, rootFiles: 'refuse' | 'warn'): NamedFinding | undefined {
  if (path === forceFilePath) {
    return { name: 'path-force-file', message: 'this file makes the daemon reapply and reboot' };
  }
  const kernel = kernelDirectories.find((directory) => isAtOrBelow(path, directory));
  if (kernel !== undefined) {
    return { name: 'path-not-writable', message: `${kernel} keeps no files: the kernel makes it` };
  }
  const volatile = volatileDirectories.find((directory) => isAtOrBelow(path, directory));
  if (volatile !== undefined) {
    return {
      name: 'path-volatile',
      message: `${volatile} is emptied at each boot: the file is gone after a reboot`,
    };
  }
  if (path.lastIndexOf('/') > 0) return undefined;
  return {
    name: 'path-in-root',
    message: 'the file lies directly in the root directory, which is read-only on many hosts',
    hint: 'put the file under /etc, /usr/local or /var',
    severity: rootFiles === 'refuse' ? 'error' : 'warning',
  };
}

function isAtOrBelow(path: string, directory: string): boolean {
  return (
    path.startsWith(directory) &&
    (path.length === directory.length || path[directory.length] === '/')
  );
}

/** The shortest spelling of an absolute path, by its text alone. */
function cleanPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** The first control character of a text, spelt `U+000A`; `undefined` when there is none. */
export function controlCharacterIn(text: string): string | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) {
      return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    }
  }
  return undefined;
}

/** A text of the user's in a message: quoted, escaped and not too long. */
export function shown(text: string): string {
  const longest = 80;
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
