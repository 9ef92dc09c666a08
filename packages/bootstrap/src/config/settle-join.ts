import type { Ground } from '../workflow/ground.ts';
import type { Discovery, JoinConfiguration } from './configuration.ts';
import { timeoutsOf } from './defaults.ts';
import type { Finding } from './finding.ts';
import type { JoinFlags } from './flags.ts';
import { type GivenJoin, givenOf } from './given.ts';
import { type LoadOptions, loadConfiguration } from './load.ts';
import { joinOfFlags, overlay } from './overlay-flags.ts';
import { missing } from './settle-cluster.ts';
import { settleEndpoint, settleNodeAddress } from './settle-endpoint.ts';
import { settleNode } from './settle-node.ts';
import { FindingCollector, type Settled } from './settled.ts';
import { unexpectedKinds } from './unexpected-kinds.ts';
import { none, refuse } from './validate/rules.ts';
import { validateDiscovery } from './validate/validate-discovery.ts';
import {
  validateCertificateKey,
  validateEndpoint,
  validateNode,
} from './validate/validate-node.ts';

export type JoinOrder = {
  /** The configuration file; absent: flags and defaults alone. */
  readonly text?: string | undefined;
  readonly flags?: JoinFlags;
  readonly ground: Ground;
  readonly load?: LoadOptions;
};

/** All that `join` is told: file, flags over it, static and dynamic defaults, checked. */
export async function settleJoin(order: JoinOrder): Promise<Settled<JoinConfiguration>> {
  const { text = '', flags = {}, ground } = order;
  const file = loadConfiguration(text, order.load);
  const found = new FindingCollector(file);
  if (text !== '') {
    // kubeadm leaves kubelet and kube-proxy documents of a join to the cluster.
    for (const [kind, findings] of unexpectedKinds(file, ['JoinConfiguration']))
      found.add(kind, findings);
    if (file.documents.JoinConfiguration === undefined) {
      found.add('JoinConfiguration', [missing('JoinConfiguration')]);
      return found.settled(await placeholder(order));
    }
  }
  const document = file.documents.JoinConfiguration?.object ?? {};
  const given = givenOf<GivenJoin>(overlay(document, joinOfFlags(flags)));
  const { join, findings } = await completeJoin(given, flags, ground);
  found.add('JoinConfiguration', findings);
  return found.settled(join);
}

/** Never used: the settled value of a refused file is dropped. */
async function placeholder(order: JoinOrder): Promise<JoinConfiguration> {
  return (await completeJoin({}, order.flags ?? {}, order.ground)).join;
}

async function completeJoin(given: GivenJoin, flags: JoinFlags, ground: Ground) {
  const { nodeAddress, findings: addressFindings } = settleNodeAddress(flags.nodeIp, ground);
  const { registration, findings: nodeFindings } = await settleNode({
    given: given.nodeRegistration,
    ground,
    isControlPlane: given.controlPlane !== undefined,
    ignorePreflightErrors: flags.ignorePreflightErrors,
    nodeAddress,
  });
  const controlPlane = await completeControlPlane(given, nodeAddress, ground);
  const discovery = discoveryOf(given.discovery);
  const { patches, caCertPath } = given;
  const directory = patches?.directory;
  const join: JoinConfiguration = {
    dryRun: given.dryRun ?? false,
    nodeRegistration: registration,
    caCertPath:
      caCertPath === undefined || caCertPath === '' ? '/etc/kubernetes/pki/ca.crt' : caCertPath,
    discovery,
    ...controlPlane.part,
    skipPhases: given.skipPhases ?? [],
    ...(directory === undefined || directory === '' ? {} : { patches: { directory } }),
    timeouts: timeoutsOf(given.timeouts),
  };
  const findings = [
    ...addressFindings,
    ...nodeFindings,
    ...controlPlane.findings,
    ...validateDiscovery(discovery, given.discovery),
    ...validateNode(registration),
    ...authorityFindings(join.caCertPath),
  ];
  return { join, findings };
}

async function completeControlPlane(
  { controlPlane }: GivenJoin,
  nodeAddress: string | undefined,
  ground: Ground,
): Promise<{ part: Pick<JoinConfiguration, 'controlPlane'>; findings: readonly Finding[] }> {
  if (controlPlane === undefined) return { part: {}, findings: none };
  const path = ['controlPlane', 'localAPIEndpoint'];
  const given = controlPlane.localAPIEndpoint;
  const { endpoint, findings } = await settleEndpoint({ given, path, nodeAddress, ground });
  const { certificateKey } = controlPlane;
  const key = certificateKey === undefined || certificateKey === '' ? {} : { certificateKey };
  return {
    part: { controlPlane: { localAPIEndpoint: endpoint, ...key } },
    findings: [
      ...findings,
      ...validateEndpoint(endpoint, path),
      ...validateCertificateKey(certificateKey, ['controlPlane', 'certificateKey']),
    ],
  };
}

/** The token of discovery serves for TLS bootstrap too, unless another is given. */
function discoveryOf(given: GivenJoin['discovery']): Discovery {
  const { bootstrapToken, file, tlsBootstrapToken = '' } = given ?? {};
  if (file !== undefined) {
    return { file: { kubeConfigPath: file.kubeConfigPath ?? '' }, tlsBootstrapToken };
  }
  const { token = '', apiServerEndpoint = '' } = bootstrapToken ?? {};
  return {
    bootstrapToken: {
      token,
      apiServerEndpoint,
      caCertHashes: bootstrapToken?.caCertHashes ?? [],
      unsafeSkipCAVerification: bootstrapToken?.unsafeSkipCAVerification ?? false,
    },
    tlsBootstrapToken: tlsBootstrapToken === '' ? token : tlsBootstrapToken,
  };
}

function authorityFindings(caCertPath: string): readonly Finding[] {
  if (caCertPath.startsWith('/') && caCertPath.endsWith('.crt')) return none;
  const message = `${JSON.stringify(caCertPath)} is not an absolute path that ends in .crt`;
  return refuse('bootstrap.config.path', ['caCertPath'], message);
}
