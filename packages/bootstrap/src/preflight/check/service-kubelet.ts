import { describeError } from '@slipway/base';
import { type Check, warning } from '../check.ts';

const enable = 'systemctl enable kubelet.service';

/** The kubelet has to come back with the machine. That it is stopped is right: it waits for its settings. */
export const serviceKubelet: Check = {
  name: 'Service-kubelet',
  run: async ({ ground }) => {
    if (ground.systemd === undefined) {
      return [
        warning(
          'not checked: no unit is looked at where a folder is the root',
          `on the machine itself: ${enable}`,
        ),
      ];
    }
    try {
      const { loadState, unitFileState } = await ground.systemd.status('kubelet.service');
      if (loadState === 'not-found') {
        return [warning('there is no kubelet.service', 'install the package of the kubelet')];
      }
      if (unitFileState.startsWith('enabled')) return [];
      return [
        warning('kubelet.service is not enabled: it will not start with the machine', enable),
      ];
    } catch (error) {
      return [
        warning(
          `systemd cannot be asked for kubelet.service: ${describeError(error)}`,
          `run the machine with systemd, then ${enable}`,
        ),
      ];
    }
  },
};
