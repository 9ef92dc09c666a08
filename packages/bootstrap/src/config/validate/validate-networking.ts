import {
  type Cidr,
  cidrSize,
  cidrsOverlap,
  formatCidr,
  hostBits,
  parseCidr,
} from '../../network/cidr.ts';
import { isDnsSubdomain } from '../../network/host-port.ts';
import type { ClusterConfiguration } from '../configuration.ts';
import type { Path } from '../document/source-node.ts';
import type { Finding } from '../finding.ts';
import { none, quote, refuse, warn } from './rules.ts';

const minimumServiceAddresses = 10n;
const minimumPodAddresses = 14n;
/** The API server keeps one bit per service address in etcd. */
const maximumServiceBits = 20;
/** kube-controller-manager keeps one bit per range of a node. */
const maximumNodeMaskDifference = 16;
const siteLocal = parseCidr('fec0::/10');

const servicePath = ['networking', 'serviceSubnet'];
const podPath = ['networking', 'podSubnet'];

export function validateNetworking(cluster: ClusterConfiguration): readonly Finding[] {
  const { serviceSubnet, podSubnet, dnsDomain } = cluster.networking;
  const services = readSubnets(serviceSubnet, servicePath, minimumServiceAddresses);
  const pods = readSubnets(podSubnet, podPath, minimumPodAddresses);
  return [
    ...domainFindings(dnsDomain),
    ...services.findings,
    ...services.cidrs.flatMap(tooLarge),
    ...pods.findings,
    ...nodeMaskFindings(cluster, pods.cidrs),
    ...overlapFindings(services.cidrs, pods.cidrs),
  ];
}

function domainFindings(dnsDomain: string): readonly Finding[] {
  if (isDnsSubdomain(dnsDomain)) return none;
  const message = `${quote(dnsDomain)} is not a DNS subdomain`;
  const hint = 'use lower-case letters, digits, - and ., as in cluster.local';
  return refuse('bootstrap.config.dns-domain', ['networking', 'dnsDomain'], message, hint);
}

function readSubnets(
  text: string,
  path: Path,
  minimum: bigint,
): { readonly cidrs: readonly Cidr[]; readonly findings: readonly Finding[] } {
  if (text === '') return { cidrs: [], findings: none };
  const parts = text.split(',');
  const cidrs = parts.flatMap((part) => parseCidr(part) ?? []);
  const code = 'bootstrap.config.subnet';
  if (cidrs.length !== parts.length) {
    const bad = parts.filter((part) => parseCidr(part) === undefined).map(quote);
    const hint = 'write it as 10.96.0.0/12, or two ranges joined by a comma for dual stack';
    return { cidrs: [], findings: refuse(code, path, `${bad.join(', ')} is not a CIDR`, hint) };
  }
  const families = new Set(cidrs.map(({ family }) => family));
  const isDual = cidrs.length === 1 || (cidrs.length === 2 && families.size === 2);
  const shape = isDual
    ? none
    : refuse(code, path, `${quote(text)} is neither one range nor one of each family`);
  return {
    cidrs,
    findings: [...shape, ...cidrs.flatMap((cidr) => sizeFindings(cidr, path, minimum))],
  };
}

function sizeFindings(cidr: Cidr, path: Path, minimum: bigint): readonly Finding[] {
  const size = cidrSize(cidr);
  const message = `${formatCidr(cidr)} has ${size} addresses; at least ${minimum} are needed`;
  const small = size < minimum ? refuse('bootstrap.config.subnet-size', path, message) : none;
  const isSiteLocal = siteLocal !== undefined && cidrsOverlap(cidr, siteLocal);
  const deprecated = `${formatCidr(cidr)} has site-local addresses, which RFC 3879 deprecates`;
  const local = isSiteLocal
    ? warn('bootstrap.config.site-local', path, deprecated, 'use a range of fd00::/8')
    : none;
  return [...small, ...local];
}

function tooLarge(cidr: Cidr): readonly Finding[] {
  if (hostBits(cidr) <= maximumServiceBits) return none;
  const least = cidr.prefixLength + hostBits(cidr) - maximumServiceBits;
  const message = `${formatCidr(cidr)} is too large for services; the prefix has to be /${least} or longer`;
  return refuse('bootstrap.config.subnet-size', servicePath, message);
}

function nodeMaskFindings(
  { controllerManager }: ClusterConfiguration,
  cidrs: readonly Cidr[],
): readonly Finding[] {
  const argumentOf = (name: string) =>
    controllerManager.extraArgs.findLast((argument) => argument.name === name)?.value;
  if (argumentOf('allocate-node-cidrs') === 'false') return none;
  return cidrs.flatMap((cidr) => {
    const flag = `node-cidr-mask-size-${cidr.family}`;
    const given = argumentOf(flag);
    return maskFindings(cidr, flag, given ?? (cidr.family === 'ipv4' ? '24' : '64'));
  });
}

function maskFindings(cidr: Cidr, flag: string, text: string): readonly Finding[] {
  const code = 'bootstrap.config.subnet-size';
  if (!/^\d+$/.test(text)) {
    return refuse(code, podPath, `the argument ${flag} is ${quote(text)}, which is no number`);
  }
  const mask = Number(text);
  if (cidr.prefixLength > mask) {
    const message = `${formatCidr(cidr)} is smaller than the /${mask} that every node gets`;
    return refuse(code, podPath, message, `widen it, or set controllerManager.extraArgs ${flag}`);
  }
  if (mask - cidr.prefixLength > maximumNodeMaskDifference) {
    const message = `${formatCidr(cidr)} has more than 2^${maximumNodeMaskDifference} ranges of /${mask}`;
    return refuse(code, podPath, message, `narrow it, or set controllerManager.extraArgs ${flag}`);
  }
  return none;
}

/** Ours: a pod with the address of a service is never reached. */
function overlapFindings(services: readonly Cidr[], pods: readonly Cidr[]): readonly Finding[] {
  return pods.flatMap((pod) => {
    const other = services.find((service) => cidrsOverlap(service, pod));
    if (other === undefined) return none;
    const message = `${formatCidr(pod)} shares addresses with the service subnet ${formatCidr(other)}`;
    return warn(
      'bootstrap.config.subnet-overlap',
      podPath,
      message,
      'choose ranges that do not meet',
    );
  });
}
