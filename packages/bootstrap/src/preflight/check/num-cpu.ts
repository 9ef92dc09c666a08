import { type Check, failure } from '../check.ts';

/** What a control plane needs at least; source: kubeadm's ControlPlaneNumCPU. */
const leastProcessors = 2;

export const numCpu: Check = {
  name: 'NumCPU',
  run: async ({ ground }) => {
    const processors = ground.machine.processorCount();
    if (processors >= leastProcessors) return [];
    return [
      failure(
        `a control plane needs ${leastProcessors} processors and the machine has ${processors}`,
        'give the machine another processor',
      ),
    ];
  },
};
