import { type ClusterRole, clusterRoles } from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import { createMissing } from './create-missing.ts';

/** Creates a ClusterRole of ours, or gives the existing one the rules of this version. */
export async function applyRole(client: KubeClient, role: ClusterRole): Promise<void> {
  if (await createMissing(client, clusterRoles, role)) return;
  const name = role.metadata?.name ?? '';
  const live = await client.get(clusterRoles, name);
  if (jsonEqual(live.rules, role.rules)) return;
  await client.patch(clusterRoles, name, { type: 'merge', body: { rules: role.rules } });
}
