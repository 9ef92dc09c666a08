import { addressFamily, cidrContains, parseCidr } from '../network/cidr.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that a program of Go asks `https://<host>` through, without its password; undefined: none.
 * Rules: golang.org/x/net/http/httpproxy, and ranges in NO_PROXY as Kubernetes takes them.
 */
export function proxyOf(host: string, variables: Variables): string | undefined {
  const { HTTPS_PROXY: upper, https_proxy: lower, NO_PROXY, no_proxy: noProxy } = variables;
  const proxy = upper || lower;
  if (proxy === undefined || proxy === '' || isLoopback(host)) return undefined;
  const exceptions = (NO_PROXY || noProxy || '').split(',');
  if (exceptions.some((exception) => excepts(exception.trim().toLowerCase(), host.toLowerCase()))) {
    return undefined;
  }
  return proxy.replace(/\/\/[^/@]*@/, '//***@');
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    (addressFamily(host) === 'ipv4' && host.startsWith('127.'))
  );
}

function excepts(exception: string, host: string): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const range = parseCidr(exception);
  if (range !== undefined) return cidrContains(range, host);
  const name = exception.replace(/^\*\./, '.').replace(/:\d+$/, '');
  if (addressFamily(exception) !== undefined || addressFamily(host) !== undefined) {
    return exception === host || name === host;
  }
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}
