import { describeError } from '@slipway/base';
import { type Check, warning } from '../check.ts';

const enable = 'systemctl enable kubelet.service';

/** With these `systemctl is-enabled` ends well; whoever wrote such a unit knows what starts it. */
const enabledStates: ReadonlySet<string> = new Set([
  'enabled',
  'enabled-runtime',
  'alias',
  'static',
  'indirect',
  'generated',
  'transient',
]);

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
      if (enabledStates.has(unitFileState)) return [];
      const isMasked = unitFileState.startsWith('masked');
      return [
        warning(
          `kubelet.service is ${isMasked ? 'masked' : 'not enabled'}: it will not start with the machine`,
          isMasked ? `systemctl unmask kubelet.service && ${enable}` : enable,
        ),
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
