import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { terminal } from '../errors.ts';
import { cgroupsWithPrefix, clearCgroups } from './cgroup.ts';
import { fleetOf, type NspawnFleet } from './fleet.ts';
import { ensureImage, imagePathIn } from './image.ts';
import { tryLock } from './lock.ts';
import { unmountBelow } from './mounts.ts';
import { makeBridge, removeInterfaces } from './network.ts';
import { probeNspawn } from './probe.ts';

export type PrepareOptions = {
  /** Folder for the machines' files; kept between runs until the machines are destroyed. */
  readonly stateDirectory: string;
  /** Folder for base images, shared by all fleets. Default `/var/cache/slipway/nspawn`. */
  readonly cacheDirectory?: string;
  /** Called before an image is built, which takes a while. */
  readonly onImageBuild?: () => void;
};

const defaultCache = '/var/cache/slipway/nspawn';

/**
 * Makes this computer ready for machines: removes what a crash left, builds the base image when the
 * cache has none, makes the bridge. Ended by `closeNspawn`.
 * @throws TerminalError `host.nspawn.unavailable` with every reason
 */
export async function prepareNspawn(options: PrepareOptions): Promise<NspawnFleet> {
  const cache = options.cacheDirectory ?? defaultCache;
  const reasons = probeNspawn({ imageIsCached: existsSync(imagePathIn(cache)) });
  if (reasons.length > 0) {
    throw terminal('host.nspawn.unavailable', `prepare nspawn hosts: ${reasons.join('; ')}`);
  }
  mkdirSync(options.stateDirectory, { recursive: true });
  const stateDirectory = realpathSync(options.stateDirectory);
  if (!tryLock(join(stateDirectory, 'owner'))) {
    const cause = `another process runs the machines in ${stateDirectory}`;
    throw terminal('host.nspawn.unavailable', `prepare nspawn hosts: ${cause}`);
  }
  const fleet = fleetOf(stateDirectory, imagePathIn(cache));
  await sweepNspawn(fleet);
  await ensureImage(cache, options.onImageBuild);
  await makeBridge(fleet);
  return fleet;
}

/** Ends every process, mount, interface and cgroup of a fleet, whoever started them. Files stay. */
export async function sweepNspawn(fleet: NspawnFleet): Promise<void> {
  for (const id of cgroupsWithPrefix(fleet.prefix)) await clearCgroups(id);
  await unmountBelow(fleet.stateDirectory);
  await removeInterfaces(fleet);
  removeNspawnTraces(fleet);
}

/** Ends a fleet: as `sweepNspawn`, and others may use its state folder. */
export async function closeNspawn(fleet: NspawnFleet): Promise<void> {
  await sweepNspawn(fleet);
  rmSync(join(fleet.stateDirectory, 'owner'), { force: true });
}

/** nspawn leaves an empty folder per machine, for mounts that are passed in later. */
function removeNspawnTraces(fleet: NspawnFleet): void {
  const folder = '/run/systemd/nspawn/propagate';
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(fleet.prefix)) rmdirSync(join(folder, name));
  }
}
