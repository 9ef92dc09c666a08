import type { StagedFile } from '@slipway/host';
import type { Failure } from '../errors.ts';
import { daemonError } from '../failure.ts';
import type { UpdatePlan } from '../update/update-plan.ts';
import type { StateFiles } from './state-files.ts';

/**
 * applying ─▶ rebooting ─▶ finishing        undoing ends with no journal, as finishing does.
 *     └────────────┴─▶ undoing
 */
export type JournalPhase = 'applying' | 'undoing' | 'rebooting' | 'finishing';

/** An update in progress: all that another process needs to complete or to undo it. */
export type Journal = {
  readonly version: 1;
  readonly plan: UpdatePlan;
  readonly phase: JournalPhase;
  /** Index of the step that runs, or would run next; earlier ones are done. */
  readonly step: number;
  /** Parents that do not exist yet, outermost first. */
  readonly newDirectories: readonly string[];
  readonly staged: readonly StagedFile[];
  /** The services of the actions as they were before. */
  readonly services: Readonly<
    Record<string, { readonly active: boolean; readonly invocationId: string }>
  >;
  /** While undoing: the last step that began. */
  readonly reached?: number;
  /** Boot id when the reboot was asked for. */
  readonly bootId?: string;
  /** Why it is being undone; absent when the target changed. */
  readonly firstError?: Failure;
};

const record = 'update/journal.json';

/** Throws `daemon.state-unreadable` for a journal that another version of the daemon wrote. */
export async function readJournal(files: StateFiles): Promise<Journal | undefined> {
  const journal = await files.readJson<Journal | { readonly version: unknown }>(record);
  if (journal === undefined || isJournal(journal)) return journal;
  const message = `read ${files.path(record)}: version ${journal.version} is not known`;
  throw daemonError('daemon.state-unreadable', message);
}

function isJournal(journal: Journal | { readonly version: unknown }): journal is Journal {
  return journal.version === 1;
}

export function writeJournal(files: StateFiles, journal: Journal): Promise<void> {
  return files.writeJson(record, journal);
}

export function removeJournal(files: StateFiles): Promise<void> {
  return files.remove(record);
}
