import type { InterfaceAddress, MachineProbe } from '@slipway/host';
import type { Argument } from '../config/configuration.ts';
import { addressFamily } from '../network/cidr.ts';
import { isGlobalUnicast } from '../network/node-address.ts';
import type { Ground } from '../workflow/ground.ts';
import { effectiveFlag, readKubeletFlags } from './kubelet-flag-places.ts';

/** The value that a component gets for a flag: that of the last of its name. */
export function argumentValue(given: readonly Argument[], name: string): string | undefined {
  return given.findLast((argument) => argument.name === name)?.value;
}

export type NodeAddressSettings = {
  readonly nodeName: string;
  readonly kubeletExtraArgs: readonly Argument[];
  /** Of a control plane; empty or absent for workers. */
  readonly advertiseAddress?: string;
};

/**
 * Addresses that a node will be known by, as the kubelet chooses them (setters.go, NodeAddress): `--node-ip`
 * from wherever it has its flags, else one of its own that its name resolves to, else that of the default
 * route; the API server's too. A cloud gives a node its addresses itself.
 */
export async function nodeAddresses(
  { files, machine }: Pick<Ground, 'files' | 'machine'>,
  { nodeName, kubeletExtraArgs, advertiseAddress = '' }: NodeAddressSettings,
): Promise<readonly string[]> {
  const places = await readKubeletFlags(files, kubeletExtraArgs);
  const given = (effectiveFlag(places, 'node-ip')?.value ?? '').split(',').map((one) => one.trim());
  const named = given.filter((address) => address !== '' && !isUnspecified(address));
  const isClouds = effectiveFlag(places, 'cloud-provider')?.value === 'external';
  const choice = async () => {
    if (isClouds) return '';
    const family = addressFamily(given[0] ?? '') ?? 'ipv4';
    return (await chosenAddress(machine, nodeName, family)) ?? advertiseAddress;
  };
  const chosen = named.length > 0 ? named : [await choice()];
  return [...new Set([...chosen, advertiseAddress])].filter((address) => address !== '');
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Bridges and tunnels of containers: no other machine reaches this one at their addresses. */
const containerInterface =
  /^(?:docker|cni|flannel|cali|cilium|lxc|lxdbr|podman|virbr|veth|weave|kube-|tunl|vxlan|nodelocaldns)|^br-[0-9a-f]{12}$/;

/** Addresses of the machine that another could reach it at. */
export function outsideAddresses(machine: MachineProbe): readonly InterfaceAddress[] {
  return usableAddresses(machine).filter(
    ({ interfaceName }) => !containerInterface.test(interfaceName),
  );
}

function usableAddresses(machine: MachineProbe): readonly InterfaceAddress[] {
  return machine.addresses().filter(({ internal, address }) => {
    return !internal && isGlobalUnicast(address);
  });
}

async function chosenAddress(
  machine: MachineProbe,
  nodeName: string,
  preferred: 'ipv4' | 'ipv6',
): Promise<string | undefined> {
  const usable = usableAddresses(machine);
  const resolved = await machine.resolve(nodeName);
  const own = resolved.filter((address) => usable.some((one) => one.address === address));
  const byName = own.find((address) => addressFamily(address) === preferred) ?? own[0];
  if (byName !== undefined) return byName;
  const byRoute = async (family: 'ipv4' | 'ipv6') => {
    const wanted = await machine.defaultRouteInterface(family);
    return usable.find((one) => one.family === family && one.interfaceName === wanted)?.address;
  };
  const other = preferred === 'ipv4' ? 'ipv6' : 'ipv4';
  return (await byRoute(preferred)) ?? (await byRoute(other));
}
