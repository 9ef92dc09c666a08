import { addressFamily } from './cidr.ts';

export type HostPort = { readonly host: string; readonly port?: number };

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(?:\\.${label})*$`);

/** True for a name of RFC 1123: lower case, at most 253 characters. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text);
}

/** True for `*.` and a name of RFC 1123. */
export function isWildcardSubdomain(text: string): boolean {
  return text.startsWith('*.') && text.length <= 253 && isDnsSubdomain(text.slice(2));
}

/** Reads `host`, `host:port`, `[v6]`, `[v6]:port` or an IPv6 address alone; undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  if (addressFamily(text) === 'ipv6') return { host: text };
  const found = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (found === null) return undefined;
  const [, bracketed, plain, digits] = found;
  const host = bracketed ?? plain ?? '';
  const isHost = bracketed === undefined ? isHostName(host) : addressFamily(bracketed) === 'ipv6';
  if (!isHost) return undefined;
  if (digits === undefined) return { host };
  const port = Number(digits);
  return isPort(port) ? { host, port } : undefined;
}

function isHostName(host: string): boolean {
  return addressFamily(host) === 'ipv4' || isDnsSubdomain(host);
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** `host:port`, IPv6 in brackets. */
export function joinHostPort(host: string, port: number): string {
  return addressFamily(host) === 'ipv6' ? `[${host}]:${port}` : `${host}:${port}`;
}
