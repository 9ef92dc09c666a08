import { type Check, warning } from '../check.ts';
import { swapDevices, withoutSwap } from '../swap-devices.ts';

export const swap: Check = {
  name: 'Swap',
  run: async ({ ground }) => {
    const devices = await swapDevices(ground.machine);
    if (devices.length === 0) return [];
    return [
      warning(
        `swap is on (${devices.join(', ')}); the kubelet takes it with cgroup v2 and when it is configured for it`,
        `${withoutSwap(devices)}, or set memorySwap and failSwapOn: false in KubeletConfiguration`,
      ),
    ];
  },
};
