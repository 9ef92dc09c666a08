import type { InterfaceAddress, MachineProbe } from '@slipway/host';
import { addressFamily } from '../../network/cidr.ts';
import { type Check, type Finding, failure, warning } from '../check.ts';
import { type NodeAddressSettings, nodeAddresses, outsideAddresses } from '../node-addresses.ts';

/** Every virtual machine behind VirtualBox's NAT has this address on its first interface. */
const natAddress = '10.0.2.15';

/** A Node of the cluster, by what this check needs of it. */
export type KnownNode = { readonly name: string; readonly internalAddresses: readonly string[] };

export type NodeAddressQuestion = NodeAddressSettings & {
  /** Host of the API server that is joined; absent for `init`. */
  readonly apiServerHost?: string;
  /** Nodes of the cluster; undefined when they may not be listed, as with a bootstrap token. */
  readonly knownNodes?: () => Promise<readonly KnownNode[] | undefined>;
};

/**
 * The node's address is its own: neither that of another Node, nor the one that NAT gives to every
 * machine. kubeadm has no such check; the cluster comes up and its nodes talk to themselves.
 */
export function nodeAddress(question: NodeAddressQuestion): Check {
  return {
    name: 'NodeAddress',
    run: async ({ ground }) => {
      const own = await nodeAddresses(ground, question);
      const known = await question.knownNodes?.();
      const joined = await addressesOf(ground.machine, question.apiServerHost);
      return own.flatMap((address): readonly Finding[] => {
        const others = otherAddresses(ground.machine, address);
        const fix = otherAddress(others, question);
        const namesake = known?.find(
          ({ name, internalAddresses }) =>
            name !== question.nodeName && internalAddresses.includes(address),
        );
        if (namesake !== undefined) {
          return [failure(`${address} is the address of node ${namesake.name} already`, fix)];
        }
        if (joined.includes(address)) {
          return [
            failure(
              `${address} is the address of the API server that is to be joined as well`,
              fix,
            ),
          ];
        }
        return checkNat(address, others, fix);
      });
    },
  };
}

/** A name stands for what it resolves to. */
async function addressesOf(machine: MachineProbe, host = ''): Promise<readonly string[]> {
  return host === '' || addressFamily(host) !== undefined ? [host] : await machine.resolve(host);
}

/** What the machine could be reached at instead, in the same family. */
function otherAddresses(machine: MachineProbe, address: string): readonly InterfaceAddress[] {
  return outsideAddresses(machine).filter(
    (one) =>
      one.family === addressFamily(address) &&
      one.address !== address &&
      one.address !== natAddress,
  );
}

function checkNat(
  address: string,
  others: readonly InterfaceAddress[],
  fix: string,
): readonly Finding[] {
  if (address !== natAddress) return [];
  const what = `${address} is the address that NAT gives to every virtual machine`;
  return others.length > 0
    ? [failure(`${what}: nodes with the same address cannot reach each other`, fix)]
    : [warning(`${what}; the machine has no other to reach it at`, fix)];
}

function otherAddress(
  [other]: readonly InterfaceAddress[],
  { advertiseAddress = '' }: NodeAddressQuestion,
): string {
  if (other === undefined) {
    return 'give the machine an interface with an address of its own, and name it with --node-ip';
  }
  const advertise =
    advertiseAddress === ''
      ? ''
      : `, and localAPIEndpoint.advertiseAddress (--apiserver-advertise-address ${other.address})`;
  return `use the address of ${other.interfaceName}: --node-ip ${other.address}; in a file, node-ip in nodeRegistration.kubeletExtraArgs${advertise}`;
}
