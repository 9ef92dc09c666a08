import { type Check, failure, pathCheckName } from '../check.ts';

/** A directory that has to be empty or absent. Name: `DirAvailable--var-lib-etcd`. */
export function dirAvailable(path: string): Check {
  return {
    name: pathCheckName('DirAvailable', path),
    run: async ({ ground }) => {
      const stat = await ground.files.stat(path);
      if (stat === undefined) return [];
      if (stat.type === 'directory' && (await ground.files.list(path)).length === 0) return [];
      return [
        failure(
          stat.type === 'directory' ? `${path} is not empty` : `${path} is not a directory`,
          'undo the earlier installation with slipway reset, or move away what is in it',
        ),
      ];
    },
  };
}
