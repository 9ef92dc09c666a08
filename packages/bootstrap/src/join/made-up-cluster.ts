import { Secret } from '@slipway/base';
import { connectionOf, singleUserKubeconfig } from '@slipway/kube';
import { createCertificateAuthority, dayMs } from '@slipway/pki';
import type { JoinConfiguration } from '../config/configuration.ts';
import { clusterName } from '../discovery/cluster-kubeconfig.ts';
import type { Discovered } from '../discovery/discover.ts';

/** Where kubeadm takes a cluster to be that a dry run is not told of. */
const unknownEndpoint = '192.168.0.101:6443';

/** What discovery would have found, with an authority of its own: for a dry run without a cluster. */
export async function madeUpCluster(join: JoinConfiguration, nowMs: number): Promise<Discovered> {
  const { discovery } = join;
  const endpoint =
    'bootstrapToken' in discovery ? discovery.bootstrapToken.apiServerEndpoint : unknownEndpoint;
  const { certificatePem } = await createCertificateAuthority({
    commonName: 'kubernetes',
    validity: { now: nowMs, validityMs: dayMs },
  });
  const server = `https://${endpoint}`;
  const token = { secret: new Secret(discovery.tlsBootstrapToken) };
  const kubeconfig = singleUserKubeconfig(
    { name: clusterName, server, certificateAuthority: { pem: certificatePem } },
    { name: 'tls-bootstrap-token-user', token },
  );
  return {
    cluster: { server, certificateAuthorityPem: certificatePem },
    kubeconfig,
    connection: connectionOf(kubeconfig),
  };
}
