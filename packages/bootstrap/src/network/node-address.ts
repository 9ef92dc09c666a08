import type { InterfaceAddress, MachineProbe } from '@slipway/host';
import { addressFamily, cidrContains, parseCidr } from './cidr.ts';

/** An address, or why there is none. */
export type AddressChoice =
  | { readonly address: string }
  | { readonly problem: string; readonly candidates: readonly string[] };

/**
 * The address of this node that `wanted` means: an address, a CIDR that exactly one address lies in, or
 * the name of an interface, of which the first usable address is taken, IPv4 before IPv6.
 */
export function chooseNodeAddress(
  wanted: string,
  addresses: readonly InterfaceAddress[],
): AddressChoice {
  const usable = addresses.filter(isUsable);
  const candidates = usable.map(({ interfaceName, address }) => `${address} (${interfaceName})`);
  const refuse = (problem: string): AddressChoice => ({ problem, candidates });
  if (addressFamily(wanted) !== undefined) return { address: wanted };
  const cidr = parseCidr(wanted);
  if (cidr !== undefined) {
    const inside = usable.filter(({ address }) => cidrContains(cidr, address));
    const [first, ...others] = inside;
    if (first === undefined) return refuse(`no address of this machine lies in ${wanted}`);
    return others.length === 0
      ? { address: first.address }
      : refuse(`${inside.length} addresses of this machine lie in ${wanted}`);
  }
  if (wanted.includes('/')) return refuse(`${wanted} is not a CIDR`);
  const onInterface = usable.filter(({ interfaceName }) => interfaceName === wanted);
  const first = onInterface.find(({ family }) => family === 'ipv4') ?? onInterface[0];
  return first === undefined
    ? refuse(`this machine has no interface ${wanted} with an address that others can reach`)
    : { address: first.address };
}

/** The address of the interface of the default route, IPv4 first; undefined when there is none. */
export async function defaultRouteAddress(machine: MachineProbe): Promise<string | undefined> {
  for (const family of ['ipv4', 'ipv6'] as const) {
    const name = await machine.defaultRouteInterface(family);
    const found = machine
      .addresses()
      .find((entry) => entry.interfaceName === name && entry.family === family && isUsable(entry));
    if (found !== undefined) return found.address;
  }
  return undefined;
}

function isUsable({ address, internal }: InterfaceAddress): boolean {
  return !internal && isGlobalUnicast(address);
}

/** True for an address that others can reach a node by: not unspecified, loopback, multicast or link-local. */
export function isGlobalUnicast(address: string): boolean {
  const family = addressFamily(address);
  if (family === undefined) return false;
  const excluded =
    family === 'ipv4'
      ? ['0.0.0.0/32', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32']
      : ['::/128', '::1/128', 'fe80::/10', 'ff00::/8'];
  return !excluded.some((range) => {
    const cidr = parseCidr(range);
    return cidr !== undefined && cidrContains(cidr, address);
  });
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return ['127.0.0.0/8', '::1/128'].some((range) => {
    const cidr = parseCidr(range);
    return cidr !== undefined && cidrContains(cidr, address);
  });
}
