import { parseKubernetesVersion } from '../../version/kubernetes-version.ts';
import { type Check, failure, warning } from '../check.ts';
import { newestMinor } from '../supported-minors.ts';

/** Versions after the newest that slipway knows may need what it does not write. */
export function kubernetesVersionCheck(version: string): Check {
  return {
    name: 'KubernetesVersion',
    run: async () => {
      const parsed = parseKubernetesVersion(version);
      if (parsed === undefined) {
        return [
          failure(`${JSON.stringify(version)} is no version`, 'set kubernetesVersion to v1.X.Y'),
        ];
      }
      if (parsed.major === 1 && parsed.minor <= newestMinor) return [];
      return [
        warning(
          `Kubernetes ${version} is newer than v1.${newestMinor}, the newest that this slipway knows`,
          `use a newer slipway, or set kubernetesVersion to v1.${newestMinor}.X`,
        ),
      ];
    },
  };
}
