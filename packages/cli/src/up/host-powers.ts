import { systemClock } from '@slipway/base';
import { type BootstrapToken, formatBootstrapToken } from '@slipway/pki';
import type { Output } from '../output.ts';
import { describeHostEvent, type HostEvent, type HostPower } from './host-power.ts';
import type { HostKind, HostPlace } from './settings.ts';
import { createSimulatedPower } from './simulated-power.ts';

export type HostPowersOptions = {
  readonly kind: HostKind;
  readonly server: string;
  /** Pin of the cluster's authority. */
  readonly pin: string;
  readonly token: BootstrapToken;
  readonly output: Output;
};

/** The power switches of all hosts, none of them on. */
export function hostPowers(
  places: readonly HostPlace[],
  options: HostPowersOptions,
): readonly { readonly place: HostPlace; readonly power: HostPower }[] {
  const { server, pin, token, output } = options;
  const onEvent = (event: HostEvent) => output.phase('hosts', describeHostEvent(event));
  return places.map((place, index) => {
    const settings = {
      nodeName: place.name,
      endpoint: server,
      pins: [pin],
      token: formatBootstrapToken(token).reveal(),
      // Hosts share the loopback interface; the address only tells them apart.
      address: `127.0.1.${index + 1}`,
      directory: place.directory,
    };
    return { place, power: createSimulatedPower({ settings, clock: systemClock, onEvent }) };
  });
}
