import { isIPv4, isIPv6 } from 'node:net';

/** A range of addresses, its network address masked. */
export type Cidr = {
  readonly family: 'ipv4' | 'ipv6';
  readonly network: bigint;
  readonly prefixLength: number;
};

const addressBits = { ipv4: 32, ipv6: 128 } as const;

/** The family of an address literal; undefined when it is none. Zones (`%eth0`) are no part of an address here. */
export function addressFamily(text: string): 'ipv4' | 'ipv6' | undefined {
  if (isIPv4(text)) return 'ipv4';
  return isIPv6(text) && !text.includes('%') ? 'ipv6' : undefined;
}

/** An address as a number; undefined when it is no address. */
export function addressNumber(text: string): bigint | undefined {
  const family = addressFamily(text);
  if (family === undefined) return undefined;
  return family === 'ipv4' ? quadNumber(text) : groupsNumber(text);
}

function quadNumber(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function groupsNumber(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: zeros }, () => 0n), ...right];
  return groups.reduce((sum, group) => sum * 65_536n + group, 0n);
}

function groupsOf(text: string): readonly bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const quad = quadNumber(group);
    return [quad / 65_536n, quad % 65_536n];
  });
}

/** Text of an address in the canonical form (RFC 5952 for IPv6). */
export function formatAddress(family: 'ipv4' | 'ipv6', address: bigint): string {
  if (family === 'ipv4') {
    return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 255n)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(16 * (7 - index))) & 65_535n).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
}

/** Reads `10.96.0.0/12`; undefined when it is no CIDR. Host bits are dropped, as Go's ParseCIDR does. */
export function parseCidr(text: string): Cidr | undefined {
  const found = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const [, address = '', digits = ''] = found ?? [];
  const family = addressFamily(address);
  const number = addressNumber(address);
  const prefixLength = Number(digits);
  if (family === undefined || number === undefined) return undefined;
  if (prefixLength > addressBits[family] || (digits.length > 1 && digits.startsWith('0'))) {
    return undefined;
  }
  const hostBits = BigInt(addressBits[family] - prefixLength);
  return { family, network: (number >> hostBits) << hostBits, prefixLength };
}

/** Text of a range: its network address and prefix length. */
export function formatCidr({ family, network, prefixLength }: Cidr): string {
  return `${formatAddress(family, network)}/${prefixLength}`;
}

/** How many addresses a range has. */
export function cidrSize({ family, prefixLength }: Cidr): bigint {
  return 1n << BigInt(addressBits[family] - prefixLength);
}

/** Bits of a range that tell its addresses apart: 20 of a /12 of IPv4. */
export function hostBits({ family, prefixLength }: Cidr): number {
  return addressBits[family] - prefixLength;
}

/** True when the address lies in the range. */
export function cidrContains(cidr: Cidr, address: string): boolean {
  const number = addressNumber(address);
  if (number === undefined || addressFamily(address) !== cidr.family) return false;
  return number >= cidr.network && number < cidr.network + cidrSize(cidr);
}

/** True when two ranges share an address. */
export function cidrsOverlap(left: Cidr, right: Cidr): boolean {
  if (left.family !== right.family) return false;
  const leftEnd = left.network + cidrSize(left);
  const rightEnd = right.network + cidrSize(right);
  return left.network < rightEnd && right.network < leftEnd;
}

/** The address at `index` of a range, 0 being the network address; undefined beyond its end. */
export function addressAt(cidr: Cidr, index: number): string | undefined {
  if (BigInt(index) >= cidrSize(cidr)) return undefined;
  return formatAddress(cidr.family, cidr.network + BigInt(index));
}

/** The ranges of `serviceSubnet` or `podSubnet`: none, one, or two joined by a comma. What is no range is left out. */
export function parseSubnets(text: string): readonly Cidr[] {
  return text.split(',').flatMap((part) => parseCidr(part.trim()) ?? []);
}

/**
 * The address at `index` of the first service range: 1 is the API server's, 10 that of cluster DNS
 * (kubeadm's GetAPIServerVirtualIP and GetDNSIP). Throws a RangeError for a range that validation refuses.
 */
export function serviceAddress(serviceSubnet: string, index: 1 | 10): string {
  const [first] = parseSubnets(serviceSubnet);
  const address = first === undefined ? undefined : addressAt(first, index);
  if (address === undefined) {
    throw new RangeError(`service subnet ${serviceSubnet}: no address at ${index}`);
  }
  return address;
}
