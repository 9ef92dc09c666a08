import type { HostPath } from '@slipway/host';
import type { ClusterConfiguration, ResetConfiguration } from '../config/configuration.ts';
import type { EtcdClient } from '../etcd/etcd-client.ts';
import type { StaticPodEtcd } from '../etcd/static-pod-etcd.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';

/** What the phases of `reset` work on. */
export type ResetData = {
  readonly reset: ResetConfiguration;
  readonly ground: Ground;
  readonly reporter: Reporter;
  /** The run changes nothing; `ground.files` is an overlay. */
  readonly isDryRun: boolean;
  /** As the cluster has it; undefined: it cannot be reached, or never was one. */
  readonly cluster?: ClusterConfiguration;
  /** Default: with the certificates of this node, at the address in its static pod. */
  readonly openEtcd?: (data: ResetData, pod: StaticPodEtcd) => Promise<EtcdClient>;
  /** Asks the user; false: they do not want it. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Checks that must hold before anything is changed. */
  readonly preflight: () => Promise<void>;
  /** Mount points of the machine in the order in which they were mounted, as the host sees them. */
  readonly mountPoints: () => Promise<readonly HostPath[]>;
};
