import { hasLocalKubelets } from '../facts/feature-gates.ts';
import { localApiAddress } from '../workflow/api-address.ts';
import type { JoinData } from './data.ts';

/**
 * The API server of this node, where its kubelet has to use that one: a control plane starts its own and
 * must not depend on another. Undefined for a worker, and where the cluster wants the shared address.
 */
export async function localServer({ join, trust }: JoinData): Promise<string | undefined> {
  if (join.controlPlane === undefined) return undefined;
  const { cluster } = await trust.settings();
  return hasLocalKubelets(cluster)
    ? localApiAddress(join.controlPlane.localAPIEndpoint)
    : undefined;
}
