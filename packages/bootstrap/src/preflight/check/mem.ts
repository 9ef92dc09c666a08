import { type Check, failure } from '../check.ts';

/** In MiB; source: kubeadm's ControlPlaneMem. */
const leastMemory = 1700;

export const mem: Check = {
  name: 'Mem',
  run: async ({ ground }) => {
    const memory = Math.floor(ground.machine.memoryBytes() / 1024 ** 2);
    if (memory >= leastMemory) return [];
    return [
      failure(
        `a control plane needs ${leastMemory} MB of memory and the machine has ${memory} MB`,
        'give the machine more memory',
      ),
    ];
  },
};
