import { type SecretObject, secrets } from '@slipway/api';
import { renderKubeconfig } from '@slipway/kube';
import { readClusterEntry } from '../discovery/cluster-kubeconfig.ts';
import { applyObjects } from '../object/apply-objects.ts';
import { bootstrapAccessObjects } from '../object/bootstrap-access.ts';
import { clusterInfoObjects } from '../object/cluster-info.ts';
import { type ClusterObject, clusterObject } from '../object/cluster-object.ts';
import { tokenSecret } from '../token/create-token.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';
import type { InitData } from './data.ts';

/**
 * Tokens that nodes join with, what whoever has one may do, and cluster-info. A token that exists
 * already is brought to its wanted form, so that a second run succeeds.
 */
export async function provideBootstrapTokens(data: InitData): Promise<void> {
  const { settings, access, reporter, options, ground } = data;
  const { bootstrapTokens } = settings.init;
  const client = await access.client();
  if (!options.skipTokenPrint && bootstrapTokens.length > 0) {
    const tokens = bootstrapTokens.map(({ token }) => token).join(', ');
    reporter.phase('bootstrap-token', `tokens: ${tokens}`);
  }
  reporter.phase(
    'bootstrap-token',
    'writing tokens, the rights of joining nodes, and cluster-info',
  );
  const entry = readClusterEntry(
    renderKubeconfig(await access.kubeconfig()),
    'bootstrap.token.join-command',
  );
  const now = ground.clock.now();
  await applyObjects(
    client,
    [
      ...bootstrapTokens.map((token) => tokenObject(tokenSecret(token, now).secret)),
      ...bootstrapAccessObjects(kubernetesMinor(settings.cluster.kubernetesVersion)),
      ...clusterInfoObjects(entry),
    ],
    access.calls,
  );
}

function tokenObject(secret: SecretObject): ClusterObject {
  return clusterObject<SecretObject>(secrets, secret);
}
