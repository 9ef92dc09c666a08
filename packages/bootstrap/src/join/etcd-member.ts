import { TerminalError } from '@slipway/base';
import { durationMs } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { createEtcdClient, type EtcdClient } from '../etcd/etcd-client.ts';
import { readEtcdCredentials } from '../etcd/etcd-credentials.ts';
import { fetchEtcdEndpoints } from '../etcd/etcd-endpoints.ts';
import type { EtcdPeer } from '../etcd/initial-cluster.ts';
import { joinEtcd } from '../etcd/join-etcd.ts';
import { kubernetesPorts } from '../facts/paths.ts';
import { apiAddress } from '../workflow/api-address.ts';
import { diagnoseComponent } from '../workflow/health/diagnose.ts';
import { writeEtcdPod } from '../workflow/static-pods.ts';
import type { JoinData } from './data.ts';

/** Asks the stacked etcd for its members before anything depends on its answering. */
export async function checkEtcd(data: JoinData): Promise<void> {
  const { trust, reporter, isDryRun } = data;
  const { cluster } = await trust.settings();
  if ('external' in cluster.etcd) {
    reporter.phase('check-etcd', 'etcd is external: it is not checked');
  } else if (isDryRun) {
    reporter.phase('dryrun', 'would check that etcd answers');
  } else {
    const members = await (await openEtcd(data)).members();
    reporter.phase('check-etcd', `etcd answers; members: ${members.length}`);
  }
}

/** Writes the static pod of a further etcd member and adds it to the cluster. */
export async function joinStackedEtcd(data: JoinData): Promise<void> {
  const { join, trust, ground, reporter, isDryRun, signal } = data;
  const settings = await trust.settings();
  if ('external' in settings.cluster.etcd) {
    reporter.phase('etcd', 'etcd is external: no member is added');
    return;
  }
  const name = join.nodeRegistration.name;
  const { advertiseAddress } = settings.init.localAPIEndpoint;
  const own = { name, peerUrl: apiAddress(advertiseAddress, kubernetesPorts.etcdPeer) };
  const writeManifest = (members: readonly EtcdPeer[]) => writeEtcdPod(settings, data, members);
  if (isDryRun) {
    reporter.phase('dryrun', `would add etcd member ${name} at ${own.peerUrl}`);
    await writeManifest([own]);
    return;
  }
  if (ground.systemd === undefined) {
    // Announced and never started, it would count as lost.
    reporter.phase('etcd', 'no services are touched here: no etcd member is added');
    return;
  }
  await joinEtcd({
    etcd: await openEtcd(data),
    own,
    writeManifest,
    diagnose: () => diagnoseComponent(ground, 'etcd'),
    clock: ground.clock,
    reporter,
    timeoutMs: durationMs(join.timeouts.etcdAPICall),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function openEtcd({ trust, ground, signal }: JoinData): Promise<EtcdClient> {
  const { cluster } = await trust.settings();
  const endpoints = await fetchEtcdEndpoints(await trust.adminClient(), signal);
  if (endpoints.length === 0) {
    const code: BootstrapErrorCode = 'bootstrap.etcd.unreachable';
    throw new TerminalError('ask etcd: the cluster has no pod of etcd that tells its address', {
      code,
    });
  }
  const credentials = await readEtcdCredentials(ground.files, cluster.certificatesDir);
  return createEtcdClient({
    ...credentials,
    endpoints,
    ...(signal === undefined ? {} : { signal }),
  });
}
