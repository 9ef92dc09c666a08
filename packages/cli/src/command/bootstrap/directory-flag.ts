import { UserError } from '@slipway/base';
import type { HostPath } from '@slipway/host';
import type { CliErrorCode } from '../../errors.ts';

/**
 * A directory of the host that a flag names, for reading and for writing.
 * @throws UserError `cli.usage` for a path that is not absolute, or has `..` in it
 */
export function directoryOf(flag: string, path: string): HostPath {
  if (path.startsWith('/') && !path.split('/').includes('..')) return path;
  const code: CliErrorCode = 'cli.usage';
  throw new UserError(`use ${flag} ${path}: it has to be an absolute path without ..`, { code });
}
