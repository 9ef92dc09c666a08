import { bug } from '../errors.ts';
import type { HostPath } from '../host.ts';

/**
 * Components of a host path; `/` has none. Repeated slashes and `.` are dropped; `..` is refused,
 * because what it means depends on symbolic links on the way.
 * @throws BugError `host.path.invalid`
 */
export function pathComponents(path: HostPath): readonly string[] {
  const components = path.split('/').filter((name) => name !== '' && name !== '.');
  if (!path.startsWith('/') || path.includes('\0') || components.includes('..')) {
    throw bug('host.path.invalid', `resolve ${JSON.stringify(path)}: not an absolute, plain path`);
  }
  return components;
}

/** The host path made of these components. */
export function pathOf(components: readonly string[]): HostPath {
  return `/${components.join('/')}`;
}

/** The directory that holds `path`; of `/` it is `/`. */
export function parentPath(path: HostPath): HostPath {
  return pathOf(pathComponents(path).slice(0, -1));
}
