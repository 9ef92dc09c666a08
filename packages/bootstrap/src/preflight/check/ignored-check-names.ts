import { type Check, warning } from '../check.ts';
import { unknownCheckNames } from '../unknown-check-names.ts';

/** Names of `--ignore-preflight-errors` that no check has: kubeadm says nothing, and what was meant stays an error. */
export function ignoredCheckNames(names: readonly string[]): Check {
  return {
    name: 'IgnoredCheckNames',
    run: async () =>
      unknownCheckNames(names).map(({ name, nearest }) =>
        warning(
          `${name} is no check: nothing is ignored by it`,
          nearest === undefined
            ? `take ${name} out of --ignore-preflight-errors`
            : `write ${nearest}`,
        ),
      ),
  };
}
