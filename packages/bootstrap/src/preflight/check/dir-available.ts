import { followLinks } from '../../host-text/follow-links.ts';
import { type Check, type Finding, failure, pathCheckName } from '../check.ts';

/** A directory that has to be empty or absent, its symlinks followed. Name: `DirAvailable--var-lib-etcd`. */
export function dirAvailable(path: string): Check {
  return {
    name: pathCheckName('DirAvailable', path),
    run: async ({ ground }) => {
      const found = await followLinks(ground.files, path);
      if (found === undefined) return [];
      if (found.stat.type !== 'directory') return [inTheWay(`${path} is not a directory`)];
      const names = await ground.files.list(found.path);
      if (names.length === 0) return [];
      return names.every((name) => name === 'lost+found')
        ? [ownFileSystem(path)]
        : [inTheWay(`${path} is not empty`)];
    },
  };
}

function inTheWay(message: string): Finding {
  return failure(
    message,
    'undo the earlier installation with slipway reset, or move away what is in it',
  );
}

function ownFileSystem(path: string): Finding {
  return failure(
    `${path} is not empty: lost+found of its own file system is in it`,
    `set etcd.local.dataDir: ${path}/data in ClusterConfiguration, or rmdir ${path}/lost+found`,
  );
}
