import { type Component, startAll, stopAll } from '@slipway/base';
import { formatBootstrapToken, generateBootstrapToken, publicKeyPin } from '@slipway/pki';
import type { CommandContext } from '../command/program.ts';
import { aborted } from '../host-program/until-interrupted.ts';
import { checkAdminKubeconfig } from './admin-kubeconfig.ts';
import { choosePort } from './choose-port.ts';
import { mergeRecord } from './cluster-record.ts';
import { createControlPlane } from './control-plane.ts';
import { adoptAuthority, openCredentials } from './credentials.ts';
import { makeDataDirectory, readRecord, saveRecord } from './data-directory.ts';
import { createForwarder } from './forwarder.ts';
import { createHostFleet } from './host-fleet.ts';
import type { HostGround } from './host-ground.ts';
import { describeHostEvent } from './host-power.ts';
import {
  type ClusterPaths,
  type ClusterRecord,
  clusterPaths,
  hostPlaces,
  type UpFlags,
} from './settings.ts';
import { openSimulatedGround } from './simulated-ground.ts';
import { lockDataDirectory } from './single-instance.ts';
import { removeStaleCredentials } from './stale-credentials.ts';
import type { TryCluster } from './try-cluster.ts';
import { createTryGround, createTryPhases, type TryPhases } from './try-phases.ts';
import { trySettings } from './try-settings.ts';
import { whatToTry } from './what-to-try.ts';

const loopback = '127.0.0.1';

/**
 * `slipway up`: a whole cluster in one process, until it is told to stop. Exit code 0 after an orderly
 * end. The same data directory goes on where it was.
 */
export async function up(flags: UpFlags, context: CommandContext): Promise<number> {
  const { output, environment } = context;
  const paths = clusterPaths(flags, environment);
  await makeDataDirectory(paths.data);
  await using _lock = await lockDataDirectory(paths.data);
  const stored = await readRecord(paths);
  const wanted = mergeRecord(stored, flags);
  const ground = await openGround(wanted, paths, context);
  try {
    const port = await choosePort(flags.port, stored?.port);
    const record = { ...wanted, port };
    await saveRecord(paths, record);
    output.phase('data', `${stored === undefined ? 'new cluster' : 'going on'} in ${paths.data}`);
    if (stored?.port !== undefined && flags.port === undefined && stored.port !== port) {
      output.phase('data', `port ${stored.port} is taken now: using ${port}`);
    }
    await runCluster({ paths, record, ground }, context);
  } finally {
    await ground.close();
  }
  return 0;
}

async function openGround(
  record: ClusterRecord,
  paths: ClusterPaths,
  { output, environment }: CommandContext,
): Promise<HostGround> {
  if (record.hosts === 'nspawn') {
    // Loaded only here: nobody else pays for it.
    const { openNspawnGround } = await import('./nspawn-ground.ts');
    return await openNspawnGround({ directory: paths.machines, environment, output });
  }
  return openSimulatedGround((event) => output.phase('hosts', describeHostEvent(event)));
}

type ClusterPlan = {
  readonly paths: ClusterPaths;
  readonly record: ClusterRecord & { readonly port: number };
  readonly ground: HostGround;
};

async function runCluster(plan: ClusterPlan, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const { interrupted } = environment;
  const components = await assemble(plan, context);
  try {
    await startAll(components, interrupted);
  } catch (error) {
    if (interrupted.aborted) return;
    throw error;
  }
  for (const line of whatToTry(plan.paths, plan.record.hosts)) output.line(line);
  await aborted(interrupted);
  output.line();
  output.phase('stop', 'hosts first, then operator and API server');
  await stopAll(components);
}

/** The cluster's parts in the order in which they start. */
async function assemble(
  { paths, record, ground }: ClusterPlan,
  context: CommandContext,
): Promise<readonly Component[]> {
  const { output } = context;
  const { port } = record;
  const { gatewayAddress } = ground;
  const endpoint = `https://${gatewayAddress}:${port}`;
  const token = generateBootstrapToken();
  const places = hostPlaces(record, paths.hosts);
  const nodeName = places[0]?.name ?? 'control-plane-1';
  const phases = await preparePhases(paths, { nodeName, endpoint, port, token }, context);
  const credentials = await openCredentials(phases.ground, paths.pki);
  const { certificatePem } = credentials.authority;
  const pin = publicKeyPin(certificatePem);
  output.phase('certs', `${paths.controlPlane}, authority ${pin.slice(0, 19)}…`);
  await checkAdminKubeconfig(paths.kubeconfig, certificatePem);
  const controlPlane = createControlPlane({ paths, port, credentials, token, output, phases });
  const facts = { endpoint, pin, token: formatBootstrapToken(token).reveal() };
  const hosts = places.map((place, index) => ({
    place,
    power: ground.createPower(place, index + 1, facts),
  }));
  const forwarders = gatewayAddress === loopback ? [] : [createForwarder(gatewayAddress, port)];
  const { administrator: client } = controlPlane;
  const { markControlPlane } = phases;
  const fleet = createHostFleet({ hosts, client, output, markControlPlane });
  return [controlPlane, ...forwarders, fleet];
}

/** Certificates and kubeconfigs, by the phases of `init` that make them. */
async function preparePhases(
  paths: ClusterPaths,
  cluster: TryCluster,
  { output, environment }: CommandContext,
): Promise<TryPhases> {
  const ground = await createTryGround(paths.controlPlane, environment.userId);
  await adoptAuthority(ground, paths.pki);
  await removeStaleCredentials(ground, cluster.endpoint);
  const phases = createTryPhases(ground, trySettings(cluster), output);
  await phases.prepare();
  return phases;
}
