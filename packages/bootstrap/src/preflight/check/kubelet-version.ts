import { parseKubernetesVersion } from '../../version/kubernetes-version.ts';
import { type Check, type Finding, failure, warning } from '../check.ts';
import type { KubeletProgram } from '../kubelet-program.ts';
import { kubeletSkew, oldestMinor } from '../supported-minors.ts';

/** The kubelet against the control plane; `version` is absent as long as a joining node does not know it. */
export function kubeletVersion(version?: string): Check {
  return {
    name: 'KubeletVersion',
    run: async ({ kubelet }) => compare(await kubelet(), version),
  };
}

/** Why the version of the kubelet is not known. */
export function unknownKubelet(
  kubelet: KubeletProgram & { readonly version?: undefined },
): Finding {
  const message = `the version of the kubelet is not known: ${kubelet.reason}`;
  return kubelet.isAsked
    ? failure(message, 'install the kubelet, in the PATH of root')
    : warning(`not checked: ${message}`, 'check the machine itself, without --rootfs');
}

function compare(kubelet: KubeletProgram, version: string | undefined): readonly Finding[] {
  if (kubelet.version === undefined) return [unknownKubelet(kubelet)];
  const { major, minor } = kubelet.version;
  const controlPlane = version === undefined ? undefined : parseKubernetesVersion(version);
  const least = (controlPlane?.minor ?? oldestMinor) - kubeletSkew;
  if (major < 1 || minor < least) {
    return [
      failure(
        `kubelet v${major}.${minor} is too old: v1.${least} is the oldest that will do`,
        `update the kubelet to v1.${controlPlane?.minor ?? least}`,
      ),
    ];
  }
  if (controlPlane === undefined || minor <= controlPlane.minor) return [];
  return [
    failure(
      `kubelet v${major}.${minor} is newer than the control plane, ${version}`,
      `install kubelet v1.${controlPlane.minor}, or build the cluster with v1.${minor}`,
    ),
  ];
}
