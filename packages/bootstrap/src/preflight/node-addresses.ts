import type { InterfaceAddress, MachineProbe } from '@slipway/host';
import type { Argument } from '../config/configuration.ts';

/** The value that a component gets for a flag: that of the last of its name. */
export function argumentValue(given: readonly Argument[], name: string): string | undefined {
  return given.findLast((argument) => argument.name === name)?.value;
}

export type NodeAddressSettings = {
  readonly kubeletExtraArgs: readonly Argument[];
  /** Of a control plane; empty or absent for workers. */
  readonly advertiseAddress?: string;
};

/**
 * Addresses that a node will be known by: `--node-ip` of its kubelet, else that of its API server, else
 * that of the interface that the default route leaves by, as the kubelet chooses; the API server's too.
 */
export async function nodeAddresses(
  machine: MachineProbe,
  { kubeletExtraArgs, advertiseAddress = '' }: NodeAddressSettings,
): Promise<readonly string[]> {
  const given = argumentValue(kubeletExtraArgs, 'node-ip')?.split(',') ?? [];
  const chosen = given.length > 0 ? given : [await chosenAddress(machine, advertiseAddress)];
  return [...new Set([...chosen, advertiseAddress])].filter((address) => address !== '');
}

/** Addresses of the machine that another could reach it at. */
export function outsideAddresses(machine: MachineProbe): readonly InterfaceAddress[] {
  return machine
    .addresses()
    .filter(({ internal, address }) => !(internal || address.startsWith('fe80:')));
}

async function chosenAddress(machine: MachineProbe, advertiseAddress: string): Promise<string> {
  const byFamily = async (family: 'ipv4' | 'ipv6') => {
    const wanted = await machine.defaultRouteInterface(family);
    return outsideAddresses(machine).find(
      (one) => one.family === family && one.interfaceName === wanted,
    )?.address;
  };
  const ownRoute = (await byFamily('ipv4')) ?? (await byFamily('ipv6'));
  return ownRoute ?? advertiseAddress;
}
