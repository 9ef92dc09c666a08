import type { ApiEndpoint, ClusterConfiguration } from '../config/configuration.ts';

/** `https://10.0.0.7:6443`, with brackets around an IPv6 address. */
export function apiAddress(host: string, port: number): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where the API server of this node listens. */
export function localApiAddress({ advertiseAddress, bindPort }: ApiEndpoint): string {
  return apiAddress(advertiseAddress, bindPort);
}

/** Where all nodes reach the API: `controlPlaneEndpoint`, whose port may be left out, else this node. */
export function clusterApiAddress(
  { controlPlaneEndpoint }: ClusterConfiguration,
  local: ApiEndpoint,
): string {
  if (controlPlaneEndpoint === '') return localApiAddress(local);
  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+))(?::(?<port>\d+))?$/.exec(
    controlPlaneEndpoint,
  );
  const host = parts?.groups?.['v6'] ?? parts?.groups?.['name'] ?? controlPlaneEndpoint;
  const port = parts?.groups?.['port'];
  return apiAddress(host, port === undefined ? local.bindPort : Number(port));
}
