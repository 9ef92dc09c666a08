import type { Logger } from '@slipway/base';
import type { Host } from '@slipway/host';
import type { ExpectedState } from '../declaration/expected-state.ts';
import type { DaemonErrorCode } from '../errors.ts';
import type { Blobs } from '../state/blobs.ts';
import type { Journal } from '../state/journal.ts';
import type { StateFiles } from '../state/state-files.ts';
import type { StoredConfig } from '../state/stored-config.ts';

/** A configuration with what it means on this host. */
export type ConfigOnHost = { readonly config: StoredConfig; readonly expected: ExpectedState };

/** What the steps of one update work with. */
export type UpdateContext = {
  readonly host: Host;
  readonly files: StateFiles;
  readonly blobs: Blobs;
  readonly logger: Logger;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** Lets `ms` pass. */
  readonly pause: (ms: number) => Promise<void>;
  readonly target: ConfigOnHost;
  /** Absent: adoption. */
  readonly previous?: ConfigOnHost;
  /** The journal as it was last written. */
  readonly journal: () => Journal;
  /** Changes the journal, durably. */
  readonly record: (change: Partial<Journal>) => Promise<void>;
};

/**
 * One part of an update. `apply` and `undo` may run again after a crash in their middle, on whatever
 * is then on the disk, and must come to the same end.
 */
export type Step = {
  readonly name: string;
  /** The code of a failure that carries none of this room's. */
  readonly code: DaemonErrorCode;
  /** Asked before `apply` when a crash may have come after it. */
  isDone(context: UpdateContext): Promise<boolean>;
  apply(context: UpdateContext): Promise<void>;
  /** Takes back what `apply` did, be it nothing, a part or all. */
  undo(context: UpdateContext): Promise<void>;
  /** Runs once everything is undone, in the order of the steps: services go back to the old files. */
  afterUndo?(context: UpdateContext): Promise<void>;
};
