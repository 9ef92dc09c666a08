import { isJsonObject, type JsonObject } from '@slipway/base';
import type { Argument } from '../../config/configuration.ts';
import { type Check, failure } from '../check.ts';
import { effectiveFlag, readKubeletFlags } from '../kubelet-flag-places.ts';
import { swapDevices, withoutSwap } from '../swap-devices.ts';
import { cgroupMount } from './system-verification.ts';

export type SwapQuestion = {
  /** KubeletConfiguration as given or as the cluster has it. */
  readonly kubelet: JsonObject | undefined;
  readonly kubeletExtraArgs: readonly Argument[];
};

/**
 * Swap and the settings of the kubelet agree. Swap alone is a warning of kubeadm's; together with
 * `failSwapOn`, which is true unless it is set, the kubelet does not start and says so in its log only.
 */
export function swapConfiguration({ kubelet, kubeletExtraArgs }: SwapQuestion): Check {
  return {
    name: 'SwapConfiguration',
    run: async ({ ground }) => {
      const devices = await swapDevices(ground.machine);
      if (devices.length === 0) return [];
      const { failSwapOn = true, memorySwap } = kubelet ?? {};
      // A flag goes before the file.
      const places = await readKubeletFlags(ground.files, kubeletExtraArgs);
      const flag = effectiveFlag(places, 'fail-swap-on');
      if (flag === undefined ? failSwapOn !== false : flag.value !== 'false') {
        return [
          failure(
            `swap is on (${devices.join(', ')}) and failSwapOn is not false: the kubelet will not start`,
            `${withoutSwap(devices)}, or set failSwapOn: false in KubeletConfiguration`,
          ),
        ];
      }
      const behavior = isJsonObject(memorySwap) ? memorySwap['swapBehavior'] : undefined;
      if (behavior !== 'LimitedSwap') return [];
      if ((await cgroupMount(ground.machine))?.version !== 1) return [];
      return [
        failure(
          'memorySwap.swapBehavior is LimitedSwap, which needs cgroup v2; the machine uses cgroup v1',
          'boot with systemd.unified_cgroup_hierarchy=1, or set swapBehavior: NoSwap in KubeletConfiguration',
        ),
      ];
    },
  };
}
