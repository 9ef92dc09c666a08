import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program on the given PATH; undefined when there is none. */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  for (const directory of (searchPath ?? '').split(delimiter)) {
    if (directory === '') continue;
    const candidate = join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // not in this directory
    }
  }
  return undefined;
}
