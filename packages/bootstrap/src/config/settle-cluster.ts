import { joinHostPort, parseHostPort } from '../network/host-port.ts';
import type { ClusterConfiguration } from './configuration.ts';
import { defaultCluster } from './defaults.ts';
import type { Finding } from './finding.ts';
import { type GivenCluster, givenOf } from './given.ts';
import { loadConfiguration } from './load.ts';
import { settleVersion } from './settle-version.ts';
import { FindingCollector, type Settled } from './settled.ts';
import { validateCluster } from './validate/validate-cluster.ts';

/** The ClusterConfiguration of the ConfigMap kubeadm-config, whatever version of kubeadm wrote it. */
export function settleCluster(text: string): Settled<ClusterConfiguration> {
  const file = loadConfiguration(text);
  const found = new FindingCollector(file);
  const given = givenOf<GivenCluster>(file.documents.ClusterConfiguration?.object);
  if (file.documents.ClusterConfiguration === undefined) {
    found.add('ClusterConfiguration', [missing('ClusterConfiguration')]);
  }
  const { cluster, findings } = completeCluster(given, 6443);
  found.add('ClusterConfiguration', findings);
  return found.settled(cluster);
}

/** A document that the command cannot do without is not in the file. */
export function missing(kind: string): Finding {
  return {
    code: 'bootstrap.config.missing-kind',
    severity: 'error',
    path: [],
    message: `there is no ${kind} in the file`,
    hint: `add a document with kind: ${kind}`,
  };
}

/** Defaults, version and endpoint of a cluster, checked. */
export function completeCluster(
  given: GivenCluster,
  bindPort: number,
): { readonly cluster: ClusterConfiguration; readonly findings: readonly Finding[] } {
  const defaulted = defaultCluster(given);
  const version = settleVersion(defaulted.kubernetesVersion);
  const cluster = {
    ...defaulted,
    kubernetesVersion: version.kubernetesVersion,
    controlPlaneEndpoint: withPort(defaulted.controlPlaneEndpoint, bindPort),
  };
  return { cluster, findings: [...version.findings, ...validateCluster(cluster, given)] };
}

/** An endpoint without a port gets that of the API server, so that other control planes may have another. */
function withPort(endpoint: string, bindPort: number): string {
  const parts = endpoint === '' ? undefined : parseHostPort(endpoint);
  if (parts === undefined || parts.port !== undefined) return endpoint;
  return joinHostPort(parts.host, bindPort);
}
