import type { NodeContract } from '@slipway/api';
import type { Logger } from '@slipway/base';
import type { Host } from '@slipway/host';
import type { ConfigSource } from './config-source.ts';
import type { ExpectedState } from './declaration/expected-state.ts';
import type { Reporter } from './reporter.ts';
import type { StateFiles } from './state/state-files.ts';
import type { StoredConfig } from './state/stored-config.ts';
import type { Updater } from './update/updater.ts';

/** What the agent works with. */
export type AgentDependencies = {
  readonly host: Host;
  readonly files: StateFiles;
  readonly updater: Updater;
  readonly source: ConfigSource;
  readonly reporter: Reporter;
  readonly logger: Logger;
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly expect: (config: StoredConfig) => Promise<ExpectedState>;
  /** The contract as it is at this moment. */
  readonly contract: () => NodeContract;
  /** True once the daemon is told to stop. */
  readonly stopping: () => boolean;
  /** Called with what the host should show, before it is compared. */
  readonly watch: (expected: ExpectedState | undefined) => Promise<void>;
};
