import { addressFamily } from '../network/cidr.ts';
import {
  chooseNodeAddress,
  defaultRouteAddress,
  isGlobalUnicast,
  isLoopback,
} from '../network/node-address.ts';
import type { Ground } from '../workflow/ground.ts';
import type { ApiEndpoint } from './configuration.ts';
import { endpointOf } from './defaults.ts';
import type { Path } from './document/source-node.ts';
import type { Finding } from './finding.ts';
import type { Given } from './given.ts';

export type EndpointOrder = {
  readonly given: Given<ApiEndpoint> | undefined;
  readonly path: Path;
  readonly nodeAddress: string | undefined;
  readonly ground: Ground;
};

export type SettledEndpoint = {
  readonly endpoint: ApiEndpoint;
  readonly findings: readonly Finding[];
};

const hint =
  'give it with --apiserver-advertise-address, --node-ip or localAPIEndpoint.advertiseAddress';

/**
 * Where the API server of this node is reached: the given address, else that of `--node-ip`, else that of
 * the default route. A loopback address stands for a global address on the loopback interface (RFC 5549).
 */
export async function settleEndpoint(order: EndpointOrder): Promise<SettledEndpoint> {
  const endpoint = endpointOf(order.given);
  const path = [...order.path, 'advertiseAddress'];
  const given = endpoint.advertiseAddress;
  const unsettled = given === '' || given === '0.0.0.0' || given === '::';
  if (!unsettled && !isLoopback(given)) return { endpoint, findings: addressFindings(given, path) };
  const address = unsettled
    ? (order.nodeAddress ?? (await defaultRouteAddress(order.ground.machine)))
    : loopbackAddress(order.ground);
  if (address !== undefined)
    return { endpoint: { ...endpoint, advertiseAddress: address }, findings: [] };
  const message = unsettled
    ? 'the address of the API server cannot be found out: this machine has no default route'
    : `${given} is a loopback address, and there is no other address on the loopback interface`;
  const code = 'bootstrap.config.advertise-address';
  return { endpoint, findings: [{ code, severity: 'error', path, message, hint }] };
}

function loopbackAddress({ machine }: Ground): string | undefined {
  return machine.addresses().find(({ internal, address }) => internal && isGlobalUnicast(address))
    ?.address;
}

/** kubeadm's VerifyAPIServerBindAddress. */
function addressFindings(address: string, path: Path): readonly Finding[] {
  const code = 'bootstrap.config.address';
  if (addressFamily(address) === undefined) {
    return [
      {
        code,
        severity: 'error',
        path,
        message: `${JSON.stringify(address)} is not an IP address`,
        hint,
      },
    ];
  }
  if (isGlobalUnicast(address)) return [];
  const message = `${address} is not an address that other nodes can reach`;
  return [{ code, severity: 'error', path, message, hint }];
}

/** The address that `--node-ip` means. */
export function settleNodeAddress(
  wanted: string | undefined,
  { machine }: Ground,
): { readonly nodeAddress?: string; readonly findings: readonly Finding[] } {
  if (wanted === undefined || wanted === '') return { findings: [] };
  const choice = chooseNodeAddress(wanted, machine.addresses());
  if ('address' in choice) return { nodeAddress: choice.address, findings: [] };
  const there = choice.candidates.length === 0 ? 'none' : choice.candidates.join(', ');
  const finding: Finding = {
    code: 'bootstrap.config.node-address',
    severity: 'error',
    path: [],
    message: `--node-ip ${wanted}: ${choice.problem}`,
    hint: `addresses of this machine: ${there}`,
  };
  return { findings: [finding] };
}
