import type { Host, HostPath } from '@slipway/host';
import { unitPath } from '@slipway/ignition';
import type { ExpectedState } from '../declaration/expected-state.ts';
import { runtimeMaskPath } from '../declaration/unit-paths.ts';
import { linksInForce } from '../enablement-links.ts';

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
    for (const link of await linksInForce(host, name)) paths.add(link);
  }
  return [...paths];
}
