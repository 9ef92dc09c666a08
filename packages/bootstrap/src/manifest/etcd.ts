import { BugError, type JsonObject } from '@slipway/base';
import type { InitSettings, LocalEtcd } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { etcdClientUrlsAnnotation } from '../etcd/etcd-endpoints.ts';
import { kubernetesPorts } from '../facts/paths.ts';
import { componentImage } from '../image/component-image.ts';
import { addressFamily } from '../network/cidr.ts';
import { isPort, joinHostPort } from '../network/host-port.ts';
import { commandLine, type DefaultFlags, lastArgument } from './command-line.ts';
import { refuseRootless } from './refuse-rootless.ts';
import { mergeEnvironment, type Probes, staticPod } from './static-pod.ts';
import { hostVolume } from './volumes.ts';

/** A member that an etcd joins. */
export type EtcdMember = { readonly name: string; readonly peerUrl: string };

/**
 * The static pod of a local etcd (phases/etcd/local.go). With `members`, the new one among them, it joins an
 * existing cluster.
 * @throws UserError `bootstrap.manifest.rootless`
 * @throws BugError `bootstrap.manifest.etcd` when etcd is external
 */
export function etcdPod(settings: InitSettings, members: readonly EtcdMember[] = []): JsonObject {
  const { cluster, init } = settings;
  refuseRootless(cluster, 'etcd');
  if (!('local' in cluster.etcd)) {
    const code: BootstrapErrorCode = 'bootstrap.manifest.etcd';
    throw new BugError('make manifest of etcd: it is external', { code });
  }
  const { local } = cluster.etcd;
  const { advertiseAddress } = init.localAPIEndpoint;
  const folder = `${cluster.certificatesDir}/etcd`;
  return staticPod({
    name: 'etcd',
    image: componentImage('etcd', cluster),
    command: ['etcd', ...commandLine(flags(settings, local, members), local.extraArgs)],
    requests: { cpu: '100m', memory: '100Mi' },
    probes: {
      ...metricsEndpoint(local, advertiseAddress),
      livenessPath: '/livez',
      readinessPath: '/readyz',
      startupPath: '/readyz',
      startupSeconds: durationMs(init.timeouts.controlPlaneComponentHealthCheck) / 1000,
    },
    environment: mergeEnvironment(local.extraEnvs),
    volumes: [
      hostVolume('etcd-data', local.dataDir, 'DirectoryOrCreate', false),
      hostVolume('etcd-certs', folder, 'DirectoryOrCreate', false),
    ],
    annotations: { [etcdClientUrlsAnnotation]: clientUrl(advertiseAddress) },
  });
}

function clientUrl(address: string): string {
  return `https://${joinHostPort(address, kubernetesPorts.etcdClient)}`;
}

/** Where other members reach an etcd at `address`. */
export function etcdPeerUrl(address: string): string {
  return `https://${joinHostPort(address, kubernetesPorts.etcdPeer)}`;
}

function loopbackFor(address: string): string {
  return addressFamily(address) === 'ipv6' ? '::1' : '127.0.0.1';
}

function flags(
  { cluster, init }: InitSettings,
  local: LocalEtcd,
  members: readonly EtcdMember[],
): DefaultFlags {
  const { advertiseAddress } = init.localAPIEndpoint;
  const { name } = init.nodeRegistration;
  const folder = `${cluster.certificatesDir}/etcd`;
  const peerUrl = etcdPeerUrl(advertiseAddress);
  const loopback = loopbackFor(advertiseAddress);
  const initial = members.length === 0 ? [{ name, peerUrl }] : members;
  return {
    'advertise-client-urls': clientUrl(advertiseAddress),
    'cert-file': `${folder}/server.crt`,
    'client-cert-auth': 'true',
    'data-dir': local.dataDir,
    'feature-gates': 'InitialCorruptCheck=true',
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': initial.map((member) => `${member.name}=${member.peerUrl}`).join(','),
    ...(members.length === 0 ? {} : { 'initial-cluster-state': 'existing' }),
    'key-file': `${folder}/server.key`,
    'listen-client-urls': `${clientUrl(loopback)},${clientUrl(advertiseAddress)}`,
    'listen-metrics-urls': `http://${joinHostPort(loopback, kubernetesPorts.etcdMetrics)}`,
    'listen-peer-urls': peerUrl,
    name,
    'peer-cert-file': `${folder}/peer.crt`,
    'peer-client-cert-auth': 'true',
    'peer-key-file': `${folder}/peer.key`,
    'peer-trusted-ca-file': `${folder}/ca.crt`,
    'snapshot-count': '10000',
    'trusted-ca-file': `${folder}/ca.crt`,
    'watch-progress-notify-interval': '5s',
  };
}

/** Where etcd answers probes: the first address of `listen-metrics-urls`, else loopback. */
function metricsEndpoint(
  { extraArgs }: LocalEtcd,
  advertiseAddress: string,
): Pick<Probes, 'host' | 'port' | 'scheme'> {
  const fallback = {
    host: loopbackFor(advertiseAddress),
    port: kubernetesPorts.etcdMetrics,
    scheme: 'HTTP',
  } as const;
  const given = lastArgument(extraArgs, 'listen-metrics-urls')?.value.split(',')[0] ?? '';
  const [, scheme, host = '', port] = addressForm.exec(given) ?? [];
  if (scheme === undefined) return fallback;
  const number = Number(port);
  return {
    host: host === '' ? fallback.host : host.replace(/^\[(.*)\]$/, '$1'),
    port: isPort(number) ? number : fallback.port,
    scheme: scheme.toLowerCase() === 'https' ? 'HTTPS' : 'HTTP',
  };
}

/** Not read as a URL, which forgets a port that is the usual one of its scheme. */
const addressForm = /^([a-z][a-z\d+.-]*):\/\/(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?(?:[/?#].*)?$/i;
