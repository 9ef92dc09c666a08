import type { PortState } from '@slipway/host';
import { type Check, type Finding, failure } from '../check.ts';

/** A port that a component will listen on: at `address`, or at every address. Name: `Port-6443`. */
export function portCheck(port: number, address = ''): Check {
  return {
    name: `Port-${port}`,
    run: async ({ ground }) => explain(port, address, await ground.machine.port(port, address)),
  };
}

function explain(port: number, address: string, state: PortState): readonly Finding[] {
  if (state.free) return [];
  if (state.reason === 'EADDRINUSE') {
    return [
      failure(
        `port ${port} is in use`,
        `stop what listens on it (ss -ltnp 'sport = :${port}'); after an earlier init or join: slipway reset`,
      ),
    ];
  }
  if (state.reason === 'EADDRNOTAVAIL') {
    return [
      failure(
        `port ${port} cannot be listened on at ${address}: no interface of the machine has the address`,
        'set localAPIEndpoint.advertiseAddress (--apiserver-advertise-address) to an address of this machine',
      ),
    ];
  }
  return [
    failure(
      `port ${port} cannot be listened on: ${state.reason}`,
      'see that the address is right and that listening is allowed',
    ),
  ];
}
