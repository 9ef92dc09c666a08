import { nodes } from '@slipway/api';
import { describeError, SlipwayError } from '@slipway/base';
import { createKubeClient } from '@slipway/kube';
import type { ClusterConfiguration, JoinConfiguration } from '../config/configuration.ts';
import { createDryRunClient, type DryRunSubstitute } from '../workflow/dry-run-client.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';
import { createClusterTrust } from './cluster-trust.ts';
import type { JoinTrust } from './data.ts';
import { joinedSettings } from './joined-settings.ts';
import { madeUpCluster } from './made-up-cluster.ts';

export type DryRunTrustOptions = {
  readonly join: JoinConfiguration;
  readonly ground: Ground;
  readonly reporter: Reporter;
  /** False: nobody told of a cluster, and none is looked for. */
  readonly isTold: boolean;
  /** What a cluster is taken to be configured like when none can be reached. */
  readonly substitute: () => Promise<ClusterConfiguration>;
  readonly signal?: AbortSignal;
};

/** How long a dry run looks for the cluster that it is given. */
const lookMs = 5_000;

/** Failures that say that nobody is there, as against somebody who is not to be trusted. */
const absentCodes = new Set(['bootstrap.discovery.timeout', 'kube.connection', 'kube.timeout']);

/**
 * Trust of a dry run: with the cluster that it is given when it can be reached, whose objects are read
 * and never written; else with a made-up one, so that `join --dry-run` works before there is a cluster.
 * A cluster that answers and cannot be trusted is an error all the same.
 */
export async function createDryRunTrust(options: DryRunTrustOptions): Promise<JoinTrust> {
  const { join, ground, reporter, signal, isTold } = options;
  if (!isTold) return await madeUpTrust(options);
  const limit = AbortSignal.timeout(lookMs);
  const trust = createClusterTrust({
    join: { ...join, timeouts: { ...join.timeouts, discovery: '3s', kubernetesAPICall: '3s' } },
    ground,
    reporter,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  try {
    return await readOnlyTrust(options, trust);
  } catch (error) {
    const isAbsent = error instanceof SlipwayError ? absentCodes.has(error.code) : limit.aborted;
    if (signal?.aborted === true || !isAbsent) throw error;
    reporter.phase('dryrun', `no cluster can be reached (${describeError(error)})`);
    reporter.phase('dryrun', 'going on with a made-up cluster that is configured by the defaults');
    return await madeUpTrust(options);
  } finally {
    trust.close();
  }
}

async function readOnlyTrust(options: DryRunTrustOptions, trust: JoinTrust): Promise<JoinTrust> {
  const { join, ground, reporter } = options;
  const discovered = await trust.discovered();
  const settings = await trust.settings();
  const real = createKubeClient(discovered.connection);
  const client = createDryRunClient({ real, reporter, substitutes: [ownNode(join)] });
  return {
    calls: { clock: ground.clock, timeoutMs: 3_000 },
    discovered: async () => discovered,
    settings: async () => settings,
    bootstrapClient: async () => client,
    adminClient: async () => client,
    close: () => client.close(),
  };
}

async function madeUpTrust(options: DryRunTrustOptions): Promise<JoinTrust> {
  const { join, ground, reporter, substitute } = options;
  const discovered = await madeUpCluster(join, ground.clock.now());
  const settings = joinedSettings(join, await substitute(), {});
  const client = createDryRunClient({ reporter, substitutes: [ownNode(join)] });
  return {
    calls: { clock: ground.clock, timeoutMs: 0 },
    discovered: async () => discovered,
    settings: async () => settings,
    bootstrapClient: async () => client,
    adminClient: async () => client,
    close: () => client.close(),
  };
}

/** The Node that the kubelet of a real run would have registered; it is not Ready. */
function ownNode(join: JoinConfiguration): DryRunSubstitute {
  const { name } = join.nodeRegistration;
  return { resource: nodes, object: { metadata: { name } } };
}
