import { describeError } from '@slipway/base';
import { createEtcdClient, type EtcdClient } from '../etcd/etcd-client.ts';
import { readEtcdCredentials } from '../etcd/etcd-credentials.ts';
import { readStaticPodEtcd, type StaticPodEtcd } from '../etcd/static-pod-etcd.ts';
import type { ResetData } from './data.ts';
import { emptyDirectory } from './empty-directory.ts';
import { etcdDirectory } from './etcd-directory.ts';
import { isSystemDirectory } from './system-directory.ts';

/**
 * Takes the etcd member of this node out of its cluster, unless it is the last one, and deletes what it
 * kept. The member is known by the peer address in its own static pod. When etcd cannot be asked, the
 * command that removes the member is told and the reset goes on.
 */
export async function removeEtcdMember(data: ResetData): Promise<void> {
  const { ground, reporter, cluster } = data;
  const pod = await readStaticPodEtcd(ground.files);
  const directory = etcdDirectory(cluster, pod);
  if (directory === undefined) {
    reporter.phase('reset', 'etcd is not on this node: it is left alone; reset it by hand');
    return;
  }
  if (pod !== undefined) await leaveCluster(data, pod);
  if (isSystemDirectory(directory)) {
    reporter.problem(
      `the data of etcd is left in ${directory}, which is not its own directory: delete it by hand`,
    );
    return;
  }
  if ((await ground.files.list(directory)).length === 0) return;
  if (data.isDryRun) {
    reporter.phase('dryrun', `would delete the contents of ${directory}`);
    return;
  }
  await emptyDirectory(ground.files, directory);
  reporter.phase('reset', `deleted the contents of ${directory}`);
}

async function leaveCluster(data: ResetData, pod: StaticPodEtcd): Promise<void> {
  const { reporter, isDryRun, ground } = data;
  if (isDryRun) {
    reporter.phase(
      'dryrun',
      'would remove the etcd member of this node, unless it is the last one',
    );
    return;
  }
  if (ground.run === undefined) {
    reporter.phase('reset', 'etcd is not asked: its member does not run on this folder');
    return;
  }
  try {
    await removeFrom(await (data.openEtcd ?? openEtcd)(data, pod), pod, data);
  } catch (error) {
    reporter.problem(
      `the etcd member of this node is not removed: ${describeError(error)}; where other members are left, ` +
        'run on their node: `etcdctl member list`, then `etcdctl member remove ID`',
    );
  }
}

async function removeFrom(etcd: EtcdClient, pod: StaticPodEtcd, data: ResetData): Promise<void> {
  const members = await etcd.members();
  const own = members.find(({ peerUrls }) => peerUrls.some((url) => pod.peerUrls.includes(url)));
  if (own === undefined) return;
  if (members.length === 1) {
    data.reporter.phase('reset', `etcd member ${own.name} is the last one: it is not removed`);
    return;
  }
  await etcd.remove(own.id);
  data.reporter.phase('reset', `removed etcd member ${own.name} from its cluster`);
}

async function openEtcd({ ground, reset }: ResetData, pod: StaticPodEtcd): Promise<EtcdClient> {
  const credentials = await readEtcdCredentials(ground.files, reset.certificatesDir);
  return createEtcdClient({ ...credentials, endpoints: pod.clientUrls });
}
