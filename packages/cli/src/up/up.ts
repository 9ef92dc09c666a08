import { startAll, stopAll, systemClock } from '@slipway/base';
import { generateBootstrapToken, publicKeyPin } from '@slipway/pki';
import type { CommandContext } from '../command/program.ts';
import { aborted } from '../host-program/until-interrupted.ts';
import { writeAdminKubeconfig } from './admin-kubeconfig.ts';
import { choosePort } from './choose-port.ts';
import { mergeRecord } from './cluster-record.ts';
import { createControlPlane } from './control-plane.ts';
import { openCredentials } from './credentials.ts';
import { makeDataDirectory, readRecord, saveRecord } from './data-directory.ts';
import { createHostFleet } from './host-fleet.ts';
import { hostPowers } from './host-powers.ts';
import {
  type ClusterPaths,
  type ClusterRecord,
  clusterPaths,
  hostPlaces,
  type UpFlags,
} from './settings.ts';
import { lockDataDirectory } from './single-instance.ts';
import { whatToTry } from './what-to-try.ts';

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
  const port = await choosePort(flags.port, stored?.port);
  const record = { ...wanted, port };
  await saveRecord(paths, record);
  output.phase('data', `${stored === undefined ? 'new cluster' : 'going on'} in ${paths.data}`);
  if (stored?.port !== undefined && flags.port === undefined && stored.port !== port) {
    output.phase('data', `port ${stored.port} is taken now: using ${port}`);
  }
  await runCluster(paths, record, context);
  return 0;
}

async function runCluster(
  paths: ClusterPaths,
  record: ClusterRecord & { readonly port: number },
  { output, environment }: CommandContext,
): Promise<void> {
  const { interrupted } = environment;
  const server = `https://127.0.0.1:${record.port}`;
  const credentials = await openCredentials(paths.pki, [], systemClock.now());
  const certificateAuthorityPem = credentials.authority.certificatePem;
  const pin = publicKeyPin(certificateAuthorityPem);
  output.phase('certs', `${paths.pki}, authority ${pin.slice(0, 19)}…`);
  const { administrator } = credentials;
  await writeAdminKubeconfig(paths.kubeconfig, { server, certificateAuthorityPem, administrator });
  output.phase('kubeconfig', paths.kubeconfig);

  const token = generateBootstrapToken();
  const { port } = record;
  const controlPlane = createControlPlane({ paths, server, port, credentials, token, output });
  const places = hostPlaces(record, paths.hosts);
  const hosts = hostPowers(places, { kind: record.hosts, server, pin, token, output });
  const fleet = createHostFleet({ hosts, client: controlPlane.administrator, output });
  const components = [controlPlane, fleet];
  try {
    await startAll(components, interrupted);
  } catch (error) {
    if (interrupted.aborted) return;
    throw error;
  }
  for (const line of whatToTry(paths, record.hosts)) output.line(line);
  await aborted(interrupted);
  output.line();
  output.phase('stop', 'hosts first, then operator and API server');
  await stopAll(components);
}
