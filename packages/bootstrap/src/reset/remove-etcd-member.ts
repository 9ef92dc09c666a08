import type { ResetData } from './data.ts';
import { emptyDirectory } from './empty-directory.ts';
import { etcdDirectory } from './etcd-directory.ts';

/**
 * Deletes what etcd kept on this node. Taking the member out of a cluster that has others needs etcd's
 * own API, which this version does not speak: then the command that does it is told.
 */
export async function removeEtcdMember(data: ResetData): Promise<void> {
  const { ground, reporter, cluster, controlPlanes } = data;
  const directory = await etcdDirectory(ground.files, cluster);
  if (directory.kind === 'external') {
    reporter.phase('reset', 'etcd is not on this node: it is left alone; reset it by hand');
    return;
  }
  if (controlPlanes.length > 1) {
    reporter.problem(
      'the etcd member of this node is not removed from the cluster: slipway cannot change etcd membership yet; ' +
        'on another control plane: `etcdctl member list`, then `etcdctl member remove ID`',
    );
  }
  if ((await ground.files.list(directory.path)).length === 0) return;
  if (data.isDryRun) {
    reporter.phase('dryrun', `would delete the contents of ${directory.path}`);
    return;
  }
  await emptyDirectory(ground.files, directory.path);
  reporter.phase('reset', `deleted the contents of ${directory.path}`);
}
