import type { JsonObject } from '@slipway/base';
import { inspectCertificate } from '@slipway/pki';
import { kubernetesPaths } from '../../facts/paths.ts';
import { readHostText } from '../../host-text/read-host-text.ts';
import { addressFamily, cidrContains, parseSubnets, serviceAddress } from '../../network/cidr.ts';
import type { Ground } from '../../workflow/ground.ts';
import { type Check, type Finding, failure, warning } from '../check.ts';

export type ServiceSubnetQuestion = {
  readonly serviceSubnet: string;
  readonly certificatesDir: string;
  /** KubeletConfiguration as given or as the cluster has it. */
  readonly kubelet: JsonObject | undefined;
};

/**
 * Everything that the service subnet is written into agrees with it: static pod and certificate of an API
 * server that is there already, and the cluster DNS of the kubelet. A subnet that was changed in one place
 * only leaves pods without DNS, or the API without a valid certificate.
 */
export function serviceSubnet(question: ServiceSubnetQuestion): Check {
  return {
    name: 'ServiceSubnet',
    run: async ({ ground }) => [
      ...(await checkManifest(ground, question)),
      ...(await checkCertificate(ground, question)),
      ...checkClusterDns(question),
    ],
  };
}

async function checkManifest(
  { files }: Ground,
  { serviceSubnet: wanted }: ServiceSubnetQuestion,
): Promise<readonly Finding[]> {
  const path = `${kubernetesPaths.manifests}/kube-apiserver.yaml`;
  const range = rangeInManifest(await readHostText(files, path));
  if (range === undefined || range === wanted) return [];
  return [
    failure(
      `the service subnet is ${wanted}, and the API server in ${path} has ${range}`,
      `set networking.serviceSubnet to ${range} (--service-cidr); a cluster's first subnet cannot be changed, except by slipway reset and init`,
    ),
  ];
}

function rangeInManifest(text: string | undefined): string | undefined {
  return /--service-cluster-ip-range=([^\s"']+)/.exec(text ?? '')?.[1];
}

async function checkCertificate(
  { files }: Ground,
  { serviceSubnet: wanted, certificatesDir }: ServiceSubnetQuestion,
): Promise<readonly Finding[]> {
  const path = `${certificatesDir}/apiserver.crt`;
  const pem = await readHostText(files, path);
  if (pem === undefined) return [];
  const address = serviceAddress(wanted, 1);
  if (inspectCertificate(pem).ipAddresses.includes(address)) return [];
  return [
    failure(
      `${path} is not for ${address}, the first address of service subnet ${wanted}`,
      `set the subnet that it was made for, or make it anew: rm ${certificatesDir}/apiserver.{crt,key} && slipway init phase certs apiserver`,
    ),
  ];
}

function checkClusterDns({ serviceSubnet: wanted, kubelet }: ServiceSubnetQuestion) {
  const given = kubelet?.['clusterDNS'];
  const servers = Array.isArray(given) ? given.map(String) : [];
  const subnets = parseSubnets(wanted);
  const derived = serviceAddress(wanted, 10);
  return servers.flatMap((server): readonly Finding[] => {
    // A cache on every node listens at an address of the link.
    if (server === derived || isOfLink(server)) return [];
    const fix = `set clusterDNS: [${derived}] in KubeletConfiguration, or leave it out`;
    return subnets.some((subnet) => cidrContains(subnet, server))
      ? [warning(`clusterDNS ${server} is not ${derived}, where cluster DNS will be`, fix)]
      : [failure(`clusterDNS ${server} is not in service subnet ${wanted}`, fix)];
  });
}

function isOfLink(address: string): boolean {
  return addressFamily(address) === 'ipv4'
    ? address.startsWith('169.254.')
    : address.toLowerCase().startsWith('fe80:');
}
