import type { KubeClient } from '@slipway/kube';
import type { InitSettings, JoinConfiguration } from '../config/configuration.ts';
import type { Discovered } from '../discovery/discover.ts';
import type { ApiCallOptions } from '../object/retry-api-call.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';

/** What a joining node knows of the cluster; asked for once, when a phase first needs it. */
export interface JoinTrust {
  /** Whom to join, proven by token and pins, or by a file. */
  discovered(): Promise<Discovered>;
  /** The cluster's configuration with this node's registration and address in it. */
  settings(): Promise<InitSettings>;
  /** As whoever may ask for the node's certificate. */
  bootstrapClient(): Promise<KubeClient>;
  /** As administrator, with this node's admin.conf. */
  adminClient(): Promise<KubeClient>;
  readonly calls: ApiCallOptions;
  close(): void;
}

/** What the phases of `join` work on. */
export type JoinData = {
  readonly join: JoinConfiguration;
  readonly ground: Ground;
  /** As `ground`, but reading the machine itself in a dry run too: what preflight looks at. */
  readonly machineGround: Ground;
  readonly reporter: Reporter;
  /** The run changes nothing; `ground.files` is an overlay. */
  readonly isDryRun: boolean;
  readonly trust: JoinTrust;
  /** What is changed about objects and files of this node, in order. */
  readonly patches: readonly Patch[];
  readonly signal?: AbortSignal;
};
