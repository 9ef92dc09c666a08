import type { HostPath } from '@slipway/host';
import type { Argument } from '../../config/configuration.ts';
import { kubernetesPaths } from '../../facts/paths.ts';
import { readHostText } from '../../host-text/read-host-text.ts';
import { parseKubernetesVersion } from '../../version/kubernetes-version.ts';
import type { Ground } from '../../workflow/ground.ts';
import { type Check, failure } from '../check.ts';
import { flagNames, removedFlags } from '../removed-kubelet-flags.ts';

/** Where flags of the kubelet are kept: by kubeadm, by Debian's package, by RPM's. */
const flagFiles: readonly HostPath[] = [
  kubernetesPaths.kubeletFlags,
  '/etc/default/kubelet',
  '/etc/sysconfig/kubelet',
];

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
      const places = [
        {
          place: 'nodeRegistration.kubeletExtraArgs',
          names: question.kubeletExtraArgs.map(({ name }) => name),
        },
        ...(await flagsInFiles(ground)),
      ];
      return places.flatMap(({ place, names }) =>
        removedFlags(names, minor).map(({ name, removedIn }) =>
          failure(
            `--${name} in ${place} is unknown to kubelets since v1.${removedIn}; v1.${minor} will not start with it`,
            `take --${name} out of ${place}`,
          ),
        ),
      );
    },
  };
}

async function flagsInFiles({ files }: Ground) {
  return await Promise.all(
    flagFiles.map(async (place) => ({
      place,
      names: flagNames((await readHostText(files, place)) ?? ''),
    })),
  );
}
