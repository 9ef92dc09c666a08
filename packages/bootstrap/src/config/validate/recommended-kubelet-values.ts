import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import { kubernetesPaths, kubernetesPorts } from '../../facts/paths.ts';
import type { ClusterConfiguration } from '../configuration.ts';
import type { Finding } from '../finding.ts';
import { none, warn } from './rules.ts';

type Recommendation = {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** What goes wrong with another value. */
  readonly hint: string;
};

/**
 * Warnings about values that work, and make a node less safe or not reachable for what expects kubeadm's
 * (componentconfigs/kubelet.go). What is not given or empty gets the recommended value.
 */
export function recommendedKubeletFindings(
  kubelet: JsonObject,
  cluster: ClusterConfiguration,
): readonly Finding[] {
  return recommendations(cluster).flatMap(({ path, value, hint }) => {
    const given = path.reduce<unknown>(
      (object, name) => (isJsonObject(object) ? object[name] : undefined),
      kubelet,
    );
    if (given === undefined || given === null || given === '' || given === value) return none;
    const [is, recommended] = [JSON.stringify(given), JSON.stringify(value)];
    const message = `${path.join('.')} is ${is}; recommended is ${recommended}`;
    return warn('bootstrap.config.kubelet', path, message, hint);
  });
}

function recommendations({ certificatesDir }: ClusterConfiguration): readonly Recommendation[] {
  return [
    {
      path: ['staticPodPath'],
      value: kubernetesPaths.manifests,
      hint: 'the static pods of the control plane are written to the recommended path only',
    },
    {
      path: ['authentication', 'x509', 'clientCAFile'],
      value: `${certificatesDir}/ca.crt`,
      hint: 'the API server is a client of the authority of the cluster',
    },
    {
      path: ['authentication', 'anonymous', 'enabled'],
      value: false,
      hint: 'anybody could ask the kubelet',
    },
    {
      path: ['authentication', 'webhook', 'enabled'],
      value: true,
      hint: 'service accounts could not read metrics of the kubelet',
    },
    {
      path: ['authorization', 'mode'],
      value: 'Webhook',
      hint: 'every client with a certificate could run commands in pods',
    },
    {
      path: ['healthzBindAddress'],
      value: '127.0.0.1',
      hint: 'init and join ask for the health of the kubelet there',
    },
    {
      path: ['healthzPort'],
      value: kubernetesPorts.kubeletHealth,
      hint: 'init and join ask for the health of the kubelet there',
    },
    {
      path: ['readOnlyPort'],
      value: 0,
      hint: 'whoever reaches the port could read what runs on the node',
    },
    {
      path: ['rotateCertificates'],
      value: true,
      hint: 'it is written as true whatever is given: a kubelet that does not rotate stops after a year',
    },
  ];
}
