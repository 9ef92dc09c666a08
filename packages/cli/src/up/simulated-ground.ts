import { systemClock } from '@slipway/base';
import type { HostGround } from './host-ground.ts';
import type { HostEvent } from './host-power.ts';
import { createSimulatedPower } from './simulated-power.ts';

/** Simulated hosts: folders of this computer, one worker thread each. They share the loopback interface. */
export function openSimulatedGround(onEvent: (event: HostEvent) => void): HostGround {
  return {
    gatewayAddress: '127.0.0.1',
    createPower(place, index, { endpoint, pin, token }) {
      const settings = {
        nodeName: place.name,
        endpoint,
        pins: [pin],
        token,
        // Nothing listens there: the address only tells the nodes apart.
        address: `127.0.1.${index}`,
        directory: place.directory,
      };
      return createSimulatedPower({ settings, clock: systemClock, onEvent });
    },
    close: async () => undefined,
  };
}
