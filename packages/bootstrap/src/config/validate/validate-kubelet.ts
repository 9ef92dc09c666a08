import type { JsonObject } from '@slipway/base';
import {
  addressFamily,
  cidrContains,
  parseCidr,
  parseSubnets,
  serviceAddress,
} from '../../network/cidr.ts';
import type { ClusterConfiguration } from '../configuration.ts';
import type { Finding } from '../finding.ts';
import { recommendedKubeletFindings } from './recommended-kubelet-values.ts';
import { none, refuse, warn } from './rules.ts';

/** NodeLocal DNS listens on a link-local address of every node. */
const linkLocal = ['169.254.0.0/16', 'fe80::/10'].flatMap((text) => parseCidr(text) ?? []);

/**
 * KubeletConfiguration against the cluster: pods that ask a DNS server that is not there find nothing.
 * The address of cluster DNS is the tenth of the service subnet.
 */
export function validateKubelet(
  kubelet: JsonObject | undefined,
  cluster: ClusterConfiguration,
): readonly Finding[] {
  if (kubelet === undefined) return none;
  return [
    ...dnsFindings(kubelet['clusterDNS'], cluster),
    ...domainFindings(kubelet, cluster),
    ...recommendedKubeletFindings(kubelet, cluster),
  ];
}

function dnsFindings(
  clusterDns: unknown,
  { networking }: ClusterConfiguration,
): readonly Finding[] {
  if (clusterDns === undefined || clusterDns === null) return none;
  if (!Array.isArray(clusterDns)) {
    const message = 'clusterDNS has to be a list of addresses';
    return refuse('bootstrap.config.wrong-type', ['clusterDNS'], message);
  }
  const subnets = parseSubnets(networking.serviceSubnet);
  const [first] = subnets;
  if (first === undefined) return none;
  const hint = `the DNS service of ${networking.serviceSubnet} is ${safeDns(networking.serviceSubnet)}; remove clusterDNS to get it`;
  return clusterDns.flatMap((address: unknown, index) => {
    const path = ['clusterDNS', index];
    if (typeof address !== 'string' || addressFamily(address) === undefined) {
      return refuse(
        'bootstrap.config.address',
        path,
        `${JSON.stringify(address)} is not an IP address`,
      );
    }
    if (address === safeDns(networking.serviceSubnet)) return none;
    if (linkLocal.some((range) => cidrContains(range, address))) return none;
    const isService = subnets.some((subnet) => cidrContains(subnet, address));
    const message = isService
      ? `${address} is not the address of the DNS service`
      : `${address} is not in the service subnet ${networking.serviceSubnet}`;
    return warn('bootstrap.config.cluster-dns', path, message, hint);
  });
}

function safeDns(serviceSubnet: string): string {
  try {
    return serviceAddress(serviceSubnet, 10);
  } catch {
    // A subnet that is too small is refused by its own rule.
    return 'not known';
  }
}

function domainFindings(
  kubelet: JsonObject,
  { networking }: ClusterConfiguration,
): readonly Finding[] {
  const domain = kubelet['clusterDomain'];
  if (typeof domain !== 'string' || domain === '' || domain === networking.dnsDomain) return none;
  const message = `clusterDomain ${domain} is not the domain of the cluster, ${networking.dnsDomain}`;
  return warn('bootstrap.config.kubelet', ['clusterDomain'], message, 'remove clusterDomain');
}
