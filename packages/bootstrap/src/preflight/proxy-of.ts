import { addressNumber, cidrContains, parseCidr } from '../network/cidr.ts';
import { isLoopback } from '../network/node-address.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Without a port it stands for all ports of the host. */
export type ProxyQuestion = { readonly host: string; readonly port?: number };

/**
 * The proxy that a program of Go asks `https://<host>:<port>` through, without its password; undefined:
 * none. Rules: golang.org/x/net/http/httpproxy, and ranges in NO_PROXY as Kubernetes takes them.
 */
export function proxyOf(question: ProxyQuestion, variables: Variables): string | undefined {
  const { HTTPS_PROXY: upper, https_proxy: lower, NO_PROXY, no_proxy: noProxy } = variables;
  const proxy = upper || lower;
  const host = question.host.toLowerCase();
  if (proxy === undefined || proxy === '' || host === 'localhost' || isLoopback(host)) {
    return undefined;
  }
  const exceptions = (NO_PROXY || noProxy || '').toLowerCase().split(',');
  if (exceptions.some((exception) => excepts(exception.trim(), { ...question, host }))) {
    return undefined;
  }
  return proxy.replace(/\/\/[^/]*@/, '//***@');
}

/** How a host or a range is asked without the proxy, whatever exceptions there are. */
export function exceptFromProxy(target: string): string {
  return `export NO_PROXY="\${NO_PROXY:-$no_proxy},${target}"`;
}

function excepts(exception: string, question: ProxyQuestion): boolean {
  if (exception === '*') return true;
  const range = parseCidr(exception);
  if (range !== undefined) return cidrContains(range, question.host);
  const { host, port } = splitPort(exception);
  if (host === '' || (port !== undefined && port !== question.port)) return false;
  const address = addressNumber(question.host);
  if (address !== undefined) return addressNumber(host) === address;
  const name = host.replace(/^\*\./, '.');
  return name.startsWith('.')
    ? question.host.endsWith(name)
    : question.host === name || question.host.endsWith(`.${name}`);
}

/** An IPv6 address alone has colons and no port. */
function splitPort(text: string): ProxyQuestion {
  if (addressNumber(text) !== undefined) return { host: text };
  const [, host = '', digits] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(text) ?? [];
  return digits === undefined ? { host } : { host, port: Number(digits) };
}
