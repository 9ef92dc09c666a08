import { terminal } from '../errors.ts';
import { runProgram } from '../process/run.ts';
import type { NspawnFleet } from './fleet.ts';
import { need } from './need.ts';

const failed = 'host.nspawn.network';

/** Makes the bridge between this computer and the machines. There is no route out of it. */
export async function makeBridge(fleet: NspawnFleet): Promise<void> {
  const { bridge, hostAddress, subnet } = fleet;
  const user = await interfaceIn(subnet);
  if (user !== undefined) {
    const cause = `${user} has an address in ${subnet}.0/24 already; use another state folder`;
    throw terminal(failed, `make bridge ${bridge}: ${cause}`);
  }
  await need(failed, ['ip', 'link', 'add', 'name', bridge, 'type', 'bridge']);
  await need(failed, ['ip', 'address', 'add', `${hostAddress}/24`, 'dev', bridge]);
  await need(failed, ['ip', 'link', 'set', 'dev', bridge, 'up']);
}

type InterfaceAddresses = {
  readonly ifname: string;
  readonly addr_info: readonly { readonly local: string }[];
};

async function interfaceIn(subnet: string): Promise<string | undefined> {
  const listed = await need(failed, ['ip', '-json', '-4', 'address', 'show']);
  const interfaces: readonly InterfaceAddresses[] = JSON.parse(listed);
  return interfaces.find(({ addr_info: addresses }) =>
    addresses.some(({ local }) => local.startsWith(`${subnet}.`)),
  )?.ifname;
}

/** Removes the bridge and what machines of the fleet left on it. */
export async function removeInterfaces(fleet: NspawnFleet): Promise<void> {
  const listed = await need(failed, ['ip', '-json', 'link', 'show']);
  const links: readonly { readonly ifname: string }[] = JSON.parse(listed);
  for (const { ifname } of links) {
    const ours = ifname === fleet.bridge || ifname.startsWith(`vb-${fleet.prefix}`);
    // One that goes away by itself meanwhile is fine.
    if (ours) await runProgram(['ip', 'link', 'delete', 'dev', ifname]);
  }
}

/** Connects a machine to the bridge or cuts its cable. */
export async function setLink(machine: string, state: 'up' | 'down'): Promise<void> {
  await need(failed, ['ip', 'link', 'set', 'dev', `vb-${machine}`, state]);
}
