import type { Argument } from '../../config/configuration.ts';
import { parseKubernetesVersion } from '../../version/kubernetes-version.ts';
import { type Check, failure } from '../check.ts';
import { readKubeletFlags } from '../kubelet-flag-places.ts';
import { removedFlags } from '../removed-kubelet-flags.ts';

export type KubeletFlagsQuestion = {
  readonly kubeletExtraArgs: readonly Argument[];
  /** Version of the kubelet where the installed one cannot be asked. */
  readonly version: string;
  /** Before an upgrade the kubelet of the next minor will read the flags. */
  readonly isUpgrade?: boolean;
};

/** No flag is left that the kubelet no longer knows: with one it does not start, and says so in its log only. */
export function kubeletFlags(question: KubeletFlagsQuestion): Check {
  return {
    name: 'KubeletFlags',
    run: async ({ ground, kubelet }) => {
      const installed = (await kubelet()).version;
      const minor =
        installed === undefined
          ? (parseKubernetesVersion(question.version)?.minor ?? 0)
          : installed.minor + (question.isUpgrade === true ? 1 : 0);
      const places = await readKubeletFlags(ground.files, question.kubeletExtraArgs);
      return places.flatMap(({ place, flags }) => {
        const names = [...new Set(flags.map(({ name }) => name))];
        return removedFlags(names, minor).map(({ name, removedIn }) =>
          failure(
            `--${name} in ${place} is unknown to kubelets since v1.${removedIn}; v1.${minor} will not start with it`,
            `take --${name} out of ${place}`,
          ),
        );
      });
    },
  };
}
