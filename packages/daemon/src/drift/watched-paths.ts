import type { Host, HostPath } from '@slipway/host';
import { unitPath } from '@slipway/ignition';
import type { ExpectedState } from '../declaration/expected-state.ts';
import {
  enablementLinks,
  runtimeMaskPath,
  vendorUnitDirectories,
} from '../declaration/unit-paths.ts';

/**
 * Every path at which a change can make the host differ from `expected`: managed paths, and for units
 * with a declared enablement the links and masks that decide it. Paths need not exist.
 */
export async function watchedPaths(
  host: Host,
  expected: ExpectedState,
): Promise<readonly HostPath[]> {
  const paths = new Set(expected.paths.map(({ path }) => path));
  for (const { name, enabled } of expected.units) {
    if (enabled === undefined) continue;
    paths.add(unitPath(name));
    paths.add(runtimeMaskPath(name));
    for (const link of enablementLinks(name, await unitText(host, name))) paths.add(link);
  }
  return [...paths];
}

/** The unit file that is in force: the administrator's, else the vendor's; empty when there is none. */
async function unitText(host: Host, unit: string): Promise<string> {
  const places = [unitPath(unit), ...vendorUnitDirectories.map((folder) => `${folder}/${unit}`)];
  for (const path of places) {
    if ((await host.files.stat(path))?.type !== 'file') continue;
    return new TextDecoder().decode(await host.files.read(path));
  }
  return '';
}
