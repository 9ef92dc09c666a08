import { backoffDelayMs } from '@slipway/base';
import type { DaemonErrorCode, Failure } from '../errors.ts';
import type { StateFiles } from './state-files.ts';

/** A target that failed, kept over restarts so that neither its cause nor its back-off is lost. */
export type FailedAttempts = {
  readonly config: string;
  /** True when it failed while everything was to be applied again. */
  readonly forced: boolean;
  readonly failure: Failure;
  readonly count: number;
  /** Wall clock, ms. */
  readonly lastAtMs: number;
  /** True: not tried again until the target changes or the force file asks for it. */
  readonly held: boolean;
};

/** One reboot that the daemon asked for. */
export type RebootRecord = { readonly config: string; readonly atMs: number };

const backoff = { initialMs: 5_000, maxMs: 300_000, jitter: 0 };

/**
 * How long to wait, from `nowMs`, before the target is tried again: 5 s, growing to 5 min. A wall
 * clock that went back never makes it longer than the full delay.
 */
export function retryDelayMs(attempts: FailedAttempts, nowMs: number): number {
  const delay = backoffDelayMs(attempts.count - 1, backoff);
  return Math.min(delay, Math.max(0, attempts.lastAtMs + delay - nowMs));
}

const failureRecord = 'failure.json';
const rebootRecord = 'reboots.json';

/** Reboots for one configuration within this time count towards the limit, ms. */
export const rebootWindowMs = 30 * 60_000;
/** This many reboots within the window are the last. */
export const rebootLimit = 3;

export function readFailedAttempts(files: StateFiles): Promise<FailedAttempts | undefined> {
  return files.readJson<FailedAttempts>(failureRecord);
}

export function writeFailedAttempts(files: StateFiles, attempts: FailedAttempts): Promise<void> {
  return files.writeJson(failureRecord, attempts);
}

export function forgetFailedAttempts(files: StateFiles): Promise<void> {
  return files.remove(failureRecord);
}

/** True when another reboot for `config` would be one too many. */
export function isRebootLoop(
  reboots: readonly RebootRecord[],
  config: string,
  nowMs: number,
): boolean {
  const recent = reboots.filter(
    (reboot) => reboot.config === config && Math.abs(nowMs - reboot.atMs) < rebootWindowMs,
  );
  return recent.length >= rebootLimit;
}

export async function readReboots(files: StateFiles): Promise<readonly RebootRecord[]> {
  return (await files.readJson<readonly RebootRecord[]>(rebootRecord)) ?? [];
}

/** Adds a reboot and forgets those that no longer count. */
export async function recordReboot(files: StateFiles, reboot: RebootRecord): Promise<void> {
  const earlier = await readReboots(files);
  const counting = earlier.filter(({ atMs }) => Math.abs(reboot.atMs - atMs) < rebootWindowMs);
  await files.writeJson(rebootRecord, [...counting, reboot]);
}

const rebootLoopCode: DaemonErrorCode = 'daemon.reboot-loop';

/** The cause of a node that has used up its reboots for `config`. */
export function rebootLoop(config: string): Failure {
  const cause = 'three reboots within 30 minutes did not complete it';
  return { code: rebootLoopCode, message: `reboot for ${config}: ${cause}` };
}

/** True for a cause after which the target is not tried again by itself. */
export function isHeld(failure: Failure): boolean {
  return failure.code === rebootLoopCode;
}
