import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeError } from '@slipway/base';
import { createNspawnMachine, type Machine, type NspawnFleet } from '@slipway/host';
import type { Output } from '../output.ts';
import type { JoinFacts } from './host-ground.ts';
import { describeHostEvent, type HostPower } from './host-power.ts';
import { installServices } from './machine-services.ts';
import type { HostPlace } from './settings.ts';

export type NspawnPowerOptions = {
  readonly fleet: NspawnFleet;
  readonly place: HostPlace;
  /** From 1. */
  readonly index: number;
  readonly facts: JoinFacts;
  /** Folder of the bundled programs. */
  readonly bundleDirectory: string;
  readonly output: Output;
};

/** The power switch of one systemd-nspawn machine. */
export function createNspawnPower(options: NspawnPowerOptions): HostPower {
  const { fleet, place, index, facts, bundleDirectory, output } = options;
  const { name } = place;
  let machine: Machine | undefined;
  let wanted = true;

  async function switchOn(): Promise<void> {
    machine = await createNspawnMachine({ fleet, name, index, bundleDirectory });
    await installServices(machine.rootPath, {
      nodeName: name,
      endpoint: facts.endpoint,
      pins: [facts.pin],
      token: facts.token,
      address: machine.address,
    });
    await linkPlace(place.directory, dirname(machine.rootPath));
    await machine.start();
    await machine.waitReady();
    void announceReboots(machine);
  }

  async function announceReboots(running: Machine): Promise<void> {
    while (wanted) {
      try {
        await running.nextBoot();
        output.phase('hosts', describeHostEvent({ kind: 'rebooted', name }));
      } catch (error) {
        if (wanted) output.problem(`${name}: ${describeError(error)}`);
        return;
      }
    }
  }

  return {
    name,
    // It would join as soon as it runs, so it is started when its turn has come.
    switchOn: () => undefined,
    async join() {
      await switchOn();
    },
    async switchOff() {
      wanted = false;
      await machine?.release();
      machine = undefined;
    },
  };
}

/** `<data>/hosts/<name>` shows the machine's folder under the name of its node. */
async function linkPlace(link: string, target: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true });
  await rm(link, { force: true });
  await symlink(target, link);
}
