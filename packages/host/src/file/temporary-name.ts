import { randomBytes } from 'node:crypto';

/**
 * Names of temporary files: hidden, without a suffix that systemd, sysctl or chrony would read, and
 * so odd that whatever carries one was left behind by us.
 */
const pattern = /^\.slipway-tmp-[0-9a-f]{16}$/;

export function newTemporaryName(): string {
  return `.slipway-tmp-${randomBytes(8).toString('hex')}`;
}

/** True for the name of a temporary file of ours. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}
