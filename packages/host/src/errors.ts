import { BugError, TerminalError, TransientError } from '@slipway/base';

/** The codes of every error this room raises, with what each means. */
export const hostErrorCodes = {
  'host.path.invalid': 'a path is not absolute, or holds a NUL or a `..` component',
  'host.file.missing': 'a file or its directory does not exist',
  'host.file.not-a-file': 'a regular file was expected',
  'host.file.not-a-directory': 'a component of the path is not a directory',
  'host.file.is-a-directory': 'a directory is where a file or link should be',
  'host.file.dangling-link': 'a parent is a symbolic link to something that does not exist',
  'host.file.too-many-links': 'the path runs through more than 40 symbolic links',
  'host.file.no-space': 'the file system is full or the quota is used up',
  'host.file.read-only': 'the file system is mounted read-only',
  'host.file.denied': 'the process lacks the permission',
  'host.file.busy': 'the machine lacks a resource for the moment',
  'host.file.failed': 'the kernel refused a file operation',
  'host.file.label': 'the security label of a file cannot be restored',
  'host.file.foreign-temporary': 'a staged file does not carry a name of ours',
  'host.process.not-started': 'a program cannot be started',
  'host.process.timeout': 'a program did not end in time',
  'host.systemd.failed': 'systemd refused or failed a verb',
  'host.systemd.unreadable': 'an answer of systemctl cannot be read',
  'host.boot.unreadable': 'the boot id or the kernel command line cannot be read',
  'host.boot.refused': 'the machine refused to reboot',
  'host.account.unreadable': 'the account files cannot be read',
  'host.simulated.state': 'the state beside a simulated root cannot be read',
  'host.nspawn.unavailable': 'this machine cannot run systemd-nspawn hosts',
  'host.nspawn.image': 'the base image cannot be built',
  'host.nspawn.network': 'the bridge cannot be set up',
  'host.nspawn.start': 'a machine did not start',
  'host.nspawn.exec': 'a program cannot be run in a machine',
} as const satisfies Record<string, string>;

export type HostErrorCode = keyof typeof hostErrorCodes;

/** A failure that another try does not cure. */
export function terminal(code: HostErrorCode, message: string, cause?: unknown): TerminalError {
  return new TerminalError(message, { code, cause });
}

/** A failure that is worth another try. */
export function transient(code: HostErrorCode, message: string, cause?: unknown): TransientError {
  return new TransientError(message, { code, cause });
}

/** A broken rule of our own callers. */
export function bug(code: HostErrorCode, message: string): BugError {
  return new BugError(message, { code });
}

/** The `code` of a Node system error (`ENOENT`), empty for anything else. */
export function errnoOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

const wording: Record<string, { readonly code: HostErrorCode; readonly words: string }> = {
  ENOENT: { code: 'host.file.missing', words: 'no such file or directory' },
  ENOTDIR: { code: 'host.file.not-a-directory', words: 'a component is not a directory' },
  EISDIR: { code: 'host.file.is-a-directory', words: 'it is a directory' },
  ELOOP: { code: 'host.file.not-a-file', words: 'it is a symbolic link' },
  ENOSPC: { code: 'host.file.no-space', words: 'no space left on the file system' },
  EDQUOT: { code: 'host.file.no-space', words: 'the quota is used up' },
  EROFS: { code: 'host.file.read-only', words: 'the file system is read-only' },
  EACCES: { code: 'host.file.denied', words: 'permission denied' },
  EPERM: {
    code: 'host.file.denied',
    words: 'not permitted (immutable, or a privilege is missing)',
  },
};

const passing = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY', 'ENOMEM']);

/** A system error of a file operation in this project's words; errors of our own pass through. */
export function fileError(action: string, path: string, error: unknown): Error {
  const errno = errnoOf(error);
  if (errno === '' || errno.startsWith('host.')) {
    return error instanceof Error ? error : new Error(String(error));
  }
  if (passing.has(errno)) return transient('host.file.busy', `${action} ${path}: ${errno}`, error);
  const known = wording[errno];
  if (known === undefined)
    return terminal('host.file.failed', `${action} ${path}: ${errno}`, error);
  return terminal(known.code, `${action} ${path}: ${known.words}`, error);
}
