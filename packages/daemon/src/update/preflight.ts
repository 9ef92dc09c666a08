import { type Host, type HostPath, parentPath } from '@slipway/host';
import type { ExpectedState } from '../declaration/expected-state.ts';
import type { DaemonErrorCode, Failure } from '../errors.ts';
import type { UpdatePlan } from './update-plan.ts';

/** Room that is left to others on every file system, in bytes. */
const reserveBytes = 4 * 1024 * 1024;

/**
 * Everything that can be known to fail before anything is touched, drained or written. The findings
 * come in the order of the declaration; the first one is the node's reason.
 */
export async function preflight(
  host: Host,
  plan: UpdatePlan,
  expected: ExpectedState,
  stateDirectory: HostPath,
): Promise<readonly Failure[]> {
  return [
    ...checkOwners(expected),
    ...checkReserved(expected, stateDirectory),
    ...checkOccupied(plan),
    ...(await checkWritable(host, plan)),
    ...(await checkSpace(host, plan)),
  ];
}

/** One reason for all of them. */
export function joinFailures(failures: readonly [Failure, ...Failure[]]): Failure {
  const [first] = failures;
  return { code: first.code, message: failures.map(({ message }) => message).join('; ') };
}

function failure(code: DaemonErrorCode, message: string): Failure {
  return { code, message };
}

function checkOwners(expected: ExpectedState): readonly Failure[] {
  return expected.problems.map(({ message, ssh }) =>
    failure(ssh ? 'daemon.ssh-user-missing' : 'daemon.unknown-owner', message),
  );
}

/** A file among the daemon's records would take from it the way back. */
function checkReserved(expected: ExpectedState, stateDirectory: HostPath): readonly Failure[] {
  return expected.paths
    .filter(({ path }) => `${path}/`.startsWith(`${stateDirectory}/`))
    .map(({ path }) =>
      failure('daemon.not-writable', `write ${path}: the daemon keeps its records there`),
    );
}

/** A directory or special file is never replaced: nobody could get it back. */
function checkOccupied(plan: UpdatePlan): readonly Failure[] {
  return plan.paths.flatMap(({ path, before, after }) => {
    const replaceable = before.type === 'absent' || before.type === after.type;
    if (replaceable || (before.type === 'file' && after.type !== 'directory')) return [];
    if (before.type === 'symlink' && after.type !== 'directory') return [];
    const found = before.type === 'other' ? 'a special file' : `a ${before.type}`;
    return [failure('daemon.path-occupied', `write ${path}: ${found} is in its place`)];
  });
}

async function checkWritable(host: Host, plan: UpdatePlan): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const directory of directoriesOf(plan)) {
    const refusal = await host.files.writeRefusal(directory);
    if (refusal === undefined) continue;
    const path = plan.paths.find((change) => parentPath(change.path) === directory)?.path;
    failures.push(failure('daemon.not-writable', `write ${path}: ${refusal}`));
  }
  return failures;
}

async function checkSpace(host: Host, plan: UpdatePlan): Promise<readonly Failure[]> {
  // Directories with the same number of free bytes are taken for one file system: they share it.
  const needs = new Map<number, { bytes: number; readonly directory: HostPath }>();
  for (const [directory, bytes] of bytesByDirectory(plan)) {
    const free = await host.files.freeBytes(directory);
    const need = needs.get(free) ?? { bytes: 0, directory };
    need.bytes += bytes;
    needs.set(free, need);
  }
  return [...needs].flatMap(([free, { bytes, directory }]) => {
    if (bytes + reserveBytes <= free) return [];
    const words = `${bytes} bytes are needed and ${free} are free`;
    return [failure('daemon.no-space', `write into ${directory}: ${words}`)];
  });
}

function bytesByDirectory(plan: UpdatePlan): ReadonlyMap<HostPath, number> {
  const sizes = new Map<HostPath, number>();
  for (const { path, after } of plan.paths) {
    if (after.type !== 'file') continue;
    const directory = parentPath(path);
    sizes.set(directory, (sizes.get(directory) ?? 0) + after.sizeBytes);
  }
  return sizes;
}

function directoriesOf(plan: UpdatePlan): ReadonlySet<HostPath> {
  return new Set(plan.paths.map(({ path }) => parentPath(path)));
}
