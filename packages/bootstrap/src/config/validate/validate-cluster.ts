import { knownFeatureGates } from '../../facts/feature-gates.ts';
import { insteadOfFeatureGate } from '../../facts/former-feature-gates.ts';
import { kubernetesMinor } from '../../version/kubernetes-version.ts';
import { nearestName } from '../../workflow/nearest-name.ts';
import type { ClusterConfiguration, ComponentSettings } from '../configuration.ts';
import { durationMs } from '../duration.ts';
import type { Finding } from '../finding.ts';
import type { GivenCluster } from '../given.ts';
import {
  checkAbsolutePath,
  checkAlternativeNames,
  checkArguments,
  checkEnumeration,
  checkHostPort,
  checkImageRepository,
  none,
  quote,
  refuse,
  warn,
} from './rules.ts';
import { validateEtcd } from './validate-etcd.ts';
import { validateNetworking } from './validate-networking.ts';

/** Key algorithms of kubeadm 1.37; P-384 since it. */
const algorithms = ['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384'];

/** Every rule for a ClusterConfiguration (ValidateClusterConfiguration), all findings at once. */
export function validateCluster(
  cluster: ClusterConfiguration,
  given: GivenCluster,
): readonly Finding[] {
  const { apiServer, controllerManager, scheduler, dns, controlPlaneEndpoint } = cluster;
  return [
    ...(dns.imageRepository === undefined
      ? none
      : checkImageRepository(dns.imageRepository, ['dns', 'imageRepository'])),
    ...validateNetworking(cluster),
    ...checkAlternativeNames(apiServer.certSANs, ['apiServer', 'certSANs']),
    ...componentFindings('apiServer', apiServer),
    ...componentFindings('controllerManager', controllerManager),
    ...componentFindings('scheduler', scheduler),
    ...checkAbsolutePath(cluster.certificatesDir, ['certificatesDir']),
    ...gateFindings(cluster),
    ...(controlPlaneEndpoint === ''
      ? none
      : checkHostPort(controlPlaneEndpoint, ['controlPlaneEndpoint'])),
    ...checkImageRepository(cluster.imageRepository, ['imageRepository']),
    ...validateEtcd(given.etcd),
    ...checkEnumeration(cluster.encryptionAlgorithm, algorithms, ['encryptionAlgorithm']),
    ...validityFindings(cluster),
  ];
}

function componentFindings(name: string, component: ComponentSettings): readonly Finding[] {
  const volumes = component.extraVolumes.flatMap((volume, index) => {
    const path = [name, 'extraVolumes', index];
    const required = (['name', 'hostPath', 'mountPath'] as const).filter(
      (field) => volume[field] === '',
    );
    return required.flatMap((field) =>
      refuse('bootstrap.config.required', path, `a volume needs ${field}`),
    );
  });
  return [...checkArguments(component.extraArgs, [name, 'extraArgs']), ...volumes];
}

function gateFindings({
  featureGates,
  kubernetesVersion,
}: ClusterConfiguration): readonly Finding[] {
  const known = knownFeatureGates(kubernetesMinor(kubernetesVersion));
  return Object.keys(featureGates).flatMap((gate) => {
    if (known.includes(gate)) return none;
    const today = insteadOfFeatureGate(gate);
    const message = `there is no feature gate ${quote(gate)}${today === undefined ? '' : ' any more'}`;
    const hint = today ?? gateHint(gate, known);
    return refuse('bootstrap.config.feature-gate', ['featureGates', gate], message, hint);
  });
}

function gateHint(gate: string, known: readonly string[]): string {
  const nearest = nearestName(gate, known);
  return nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
}

function validityFindings(cluster: ClusterConfiguration): readonly Finding[] {
  const code = 'bootstrap.config.validity';
  const { certificateValidityPeriod: leaf, caCertificateValidityPeriod: authority } = cluster;
  const [leafMs, authorityMs] = [durationMs(leaf), durationMs(authority)];
  const negative = [
    ['certificateValidityPeriod', leafMs] as const,
    ['caCertificateValidityPeriod', authorityMs] as const,
  ].flatMap(([field, ms]) =>
    ms > 0 ? none : refuse(code, [field], 'a certificate has to be valid for some time'),
  );
  return [
    ...negative,
    ...longer(
      leafMs,
      durationMs('8760h'),
      'certificateValidityPeriod',
      `${leaf} is longer than a year`,
    ),
    ...longer(
      authorityMs,
      durationMs('87600h'),
      'caCertificateValidityPeriod',
      `${authority} is longer than ten years`,
    ),
    ...longer(
      leafMs,
      authorityMs,
      'certificateValidityPeriod',
      `${leaf} is longer than the ${authority} of the authority`,
    ),
  ];
}

function longer(ms: number, limit: number, field: string, message: string): readonly Finding[] {
  if (ms <= limit) return none;
  return warn('bootstrap.config.validity', [field], message, 'renew certificates instead');
}
