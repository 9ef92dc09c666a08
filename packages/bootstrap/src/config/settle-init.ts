import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import type { Ground } from '../workflow/ground.ts';
import type { BootstrapTokenEntry, InitConfiguration, InitSettings } from './configuration.ts';
import { timeoutsOf, tokensOf } from './defaults.ts';
import type { InitFlags } from './flags.ts';
import { type GivenCluster, type GivenInit, givenOf } from './given.ts';
import { type LoadOptions, loadConfiguration } from './load.ts';
import { clusterOfFlags, initOfFlags, overlay } from './overlay-flags.ts';
import { completeCluster, missing } from './settle-cluster.ts';
import { settleEndpoint, settleNodeAddress } from './settle-endpoint.ts';
import { settleNode } from './settle-node.ts';
import { FindingCollector, type Settled } from './settled.ts';
import { unexpectedKinds } from './unexpected-kinds.ts';
import { validateKubelet } from './validate/validate-kubelet.ts';
import {
  validateCertificateKey,
  validateEndpoint,
  validateNode,
} from './validate/validate-node.ts';
import { validateTokens } from './validate/validate-tokens.ts';

export type InitOrder = {
  /** The configuration file; absent: flags and defaults alone. */
  readonly text?: string | undefined;
  readonly flags?: InitFlags;
  readonly ground: Ground;
  readonly load?: LoadOptions;
};

const kinds = [
  'InitConfiguration',
  'ClusterConfiguration',
  'KubeletConfiguration',
  'KubeProxyConfiguration',
] as const;

/**
 * All that `init` works on: file, flags over it, static and dynamic defaults, checked. Nothing is asked of
 * the network. All findings at once; no value when one of them is an error.
 */
export async function settleInit(order: InitOrder): Promise<Settled<InitSettings>> {
  const { text = '', flags = {}, ground } = order;
  const file = loadConfiguration(text, order.load);
  const found = new FindingCollector(file);
  const { documents } = file;
  if (text !== '') {
    for (const [kind, findings] of unexpectedKinds(file, kinds)) found.add(kind, findings);
    if (kinds.every((kind) => documents[kind] === undefined))
      found.add('InitConfiguration', [missing('InitConfiguration or ClusterConfiguration')]);
  }
  const given = givenOf<GivenInit>(
    overlay(documents.InitConfiguration?.object ?? {}, initOfFlags(flags)),
  );
  const { init, findings } = await completeInit(given, flags, ground);
  found.add('InitConfiguration', findings);
  const givenCluster = givenOf<GivenCluster>(
    overlay(documents.ClusterConfiguration?.object ?? {}, clusterOfFlags(flags)),
  );
  const { cluster, findings: clusterFindings } = completeCluster(
    givenCluster,
    init.localAPIEndpoint.bindPort,
  );
  found.add('ClusterConfiguration', clusterFindings);
  const kubelet = documents.KubeletConfiguration?.object;
  const kubeProxy = documents.KubeProxyConfiguration?.object;
  found.add('KubeletConfiguration', validateKubelet(kubelet, cluster));
  const components = {
    ...(kubelet === undefined ? {} : { kubelet }),
    ...(kubeProxy === undefined ? {} : { kubeProxy }),
  };
  return found.settled({ init, cluster, components });
}

async function completeInit(given: GivenInit, flags: InitFlags, ground: Ground) {
  const { nodeAddress, findings: addressFindings } = settleNodeAddress(flags.nodeIp, ground);
  const { registration, findings: nodeFindings } = await settleNode({
    given: given.nodeRegistration,
    ground,
    isControlPlane: true,
    ignorePreflightErrors: flags.ignorePreflightErrors,
    nodeAddress,
  });
  const path = ['localAPIEndpoint'];
  const { endpoint, findings: endpointFindings } = await settleEndpoint({
    given: given.localAPIEndpoint,
    path,
    nodeAddress,
    ground,
  });
  const tokens = tokensOf(given.bootstrapTokens);
  const { certificateKey, patches } = given;
  const directory = patches?.directory;
  const init: InitConfiguration = {
    bootstrapTokens: tokens.map(withValue),
    dryRun: given.dryRun ?? false,
    nodeRegistration: registration,
    localAPIEndpoint: endpoint,
    ...(certificateKey === undefined || certificateKey === '' ? {} : { certificateKey }),
    skipPhases: given.skipPhases ?? [],
    ...(directory === undefined || directory === '' ? {} : { patches: { directory } }),
    timeouts: timeoutsOf(given.timeouts),
  };
  const findings = [
    ...addressFindings,
    ...nodeFindings,
    ...endpointFindings,
    ...validateNode(registration),
    ...validateTokens(tokens),
    ...validateEndpoint(endpoint, path),
    ...validateCertificateKey(certificateKey, ['certificateKey']),
  ];
  return { init, findings };
}

function withValue(entry: BootstrapTokenEntry): BootstrapTokenEntry {
  if (entry.token !== '') return entry;
  return { ...entry, token: formatBootstrapToken(generateBootstrapToken()).reveal() };
}
