import { followLinks } from '../../host-text/follow-links.ts';
import { type Check, failure, pathCheckName } from '../check.ts';

/**
 * A file that will be written and must not be there yet, symlinks followed. Name:
 * `FileAvailable--etc-kubernetes-kubelet.conf`.
 */
export function fileAvailable(path: string): Check {
  return {
    name: pathCheckName('FileAvailable', path),
    run: async ({ ground }) =>
      (await followLinks(ground.files, path)) === undefined
        ? []
        : [
            failure(
              `${path} exists already`,
              'undo the earlier installation with slipway reset, or move the file away',
            ),
          ],
  };
}
