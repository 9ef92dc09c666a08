import type { Ground } from '../workflow/ground.ts';
import type { ResetConfiguration } from './configuration.ts';
import { detectSocket, givenSocket } from './cri-socket.ts';
import { defaultCertificatesDirectory, orElse, timeoutsOf } from './defaults.ts';
import { ignoredChecks, type ResetFlags } from './flags.ts';
import { type GivenReset, givenOf } from './given.ts';
import { type LoadOptions, loadConfiguration } from './load.ts';
import { overlay, resetOfFlags } from './overlay-flags.ts';
import { missing } from './settle-cluster.ts';
import { FindingCollector, type Settled } from './settled.ts';
import { unexpectedKinds } from './unexpected-kinds.ts';
import { checkAbsolutePath, checkCriSocket, checkEnumeration } from './validate/rules.ts';

export type ResetOrder = {
  /** The configuration file; absent: flags and defaults alone. */
  readonly text?: string | undefined;
  readonly flags?: ResetFlags;
  readonly ground: Ground;
  readonly load?: LoadOptions;
};

const unmountFlags = ['MNT_FORCE', 'MNT_DETACH', 'MNT_EXPIRE', 'UMOUNT_NOFOLLOW'];

/** All that `reset` is told: file, flags over it, defaults, checked. */
export async function settleReset(order: ResetOrder): Promise<Settled<ResetConfiguration>> {
  const { text = '', flags = {}, ground } = order;
  const file = loadConfiguration(text, order.load);
  const found = new FindingCollector(file);
  const kind = 'ResetConfiguration';
  if (text !== '') {
    for (const [other, findings] of unexpectedKinds(file, [kind])) found.add(other, findings);
    if (file.documents[kind] === undefined) found.add(kind, [missing(kind)]);
  }
  const given = givenOf<GivenReset>(
    overlay(file.documents[kind]?.object ?? {}, resetOfFlags(flags)),
  );
  const path = ['criSocket'];
  const socket =
    given.criSocket === undefined || given.criSocket === ''
      ? await detectSocket(ground.files, path)
      : givenSocket(given.criSocket, path);
  const checks = ignoredChecks(given.ignorePreflightErrors ?? [], flags.ignorePreflightErrors);
  const reset: ResetConfiguration = {
    cleanupTmpDir: given.cleanupTmpDir ?? false,
    certificatesDir: orElse(given.certificatesDir, defaultCertificatesDirectory),
    criSocket: socket.criSocket,
    dryRun: given.dryRun ?? false,
    force: given.force ?? false,
    ignorePreflightErrors: checks.ignored,
    skipPhases: given.skipPhases ?? [],
    unmountFlags: given.unmountFlags ?? [],
    timeouts: timeoutsOf(given.timeouts),
  };
  found.add(kind, [
    ...socket.findings,
    ...checks.findings.map((finding) => ({ ...finding, path: ['ignorePreflightErrors'] })),
    ...checkCriSocket(reset.criSocket, path),
    ...checkAbsolutePath(reset.certificatesDir, ['certificatesDir']),
    ...reset.unmountFlags.flatMap((flag, index) =>
      checkEnumeration(flag, unmountFlags, ['unmountFlags', index]),
    ),
  ]);
  return found.settled(reset);
}
