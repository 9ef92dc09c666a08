import type { DriftFinding, NodeContract } from '@slipway/api';
import type { Host } from '@slipway/host';
import type { Situation } from './decide.ts';
import type { ExpectedState } from './declaration/expected-state.ts';
import { compare } from './drift/compare.ts';
import { observeExpected } from './observe.ts';
import {
  type FailedAttempts,
  isRebootLoop,
  readFailedAttempts,
  readReboots,
  retryDelayMs,
} from './state/attempts.ts';
import type { Journal } from './state/journal.ts';
import type { StateFiles } from './state/state-files.ts';
import { readStoredConfig, type StoredConfig } from './state/stored-config.ts';
import { forceFile } from './update/finish.ts';
import type { Updater } from './update/updater.ts';

/** Everything that one round of the agent looks at. */
export type Snapshot = {
  readonly situation: Situation;
  readonly journal?: Journal;
  /** What the host has, when the host itself recorded it. */
  readonly stored?: StoredConfig;
  readonly expected?: ExpectedState;
  readonly failed?: FailedAttempts;
};

export type SnapshotDependencies = {
  readonly host: Host;
  readonly files: StateFiles;
  readonly updater: Updater;
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly expect: (config: StoredConfig) => Promise<ExpectedState>;
};

/** Looks at the host and at the daemon's records; asks the API nothing. */
export async function takeSnapshot(
  dependencies: SnapshotDependencies,
  contract: NodeContract,
): Promise<Snapshot> {
  const { host, files, updater, now } = dependencies;
  const journal = await updater.journal();
  const stored = await readStoredConfig(files, 'current');
  const expected = stored === undefined ? undefined : await dependencies.expect(stored);
  // While an update is in progress the host is neither old nor new: nothing is drift then.
  const findings =
    journal === undefined && expected !== undefined ? await differences(host, expected) : [];
  const failed = await readFailedAttempts(files);
  const current = stored?.name;
  const situation: Situation = {
    contract,
    ...(journal === undefined ? {} : { journal: summaryOf(journal) }),
    bootId: await host.boot.id(),
    ...(current === undefined ? {} : { current }),
    forced: (await host.files.stat(forceFile)) !== undefined,
    findings,
    ...(failed === undefined ? {} : { failed: failedOf(failed, now()) }),
    rebootLoop:
      journal !== undefined && isRebootLoop(await readReboots(files), journal.plan.to, now()),
  };
  return {
    situation,
    ...(journal === undefined ? {} : { journal }),
    ...(stored === undefined ? {} : { stored }),
    ...(expected === undefined ? {} : { expected }),
    ...(failed === undefined ? {} : { failed }),
  };
}

async function differences(host: Host, expected: ExpectedState): Promise<readonly DriftFinding[]> {
  return compare(expected, await observeExpected(host, expected));
}

function summaryOf(journal: Journal): NonNullable<Situation['journal']> {
  const { phase, plan, bootId } = journal;
  const boot = bootId === undefined ? {} : { bootId };
  return { phase, to: plan.to, forced: plan.forced, ...boot };
}

function failedOf(failed: FailedAttempts, nowMs: number): NonNullable<Situation['failed']> {
  const { config, failure, held, forced } = failed;
  return { config, failure, held, forced, waitMs: retryDelayMs(failed, nowMs) };
}
