import type { JsonObject } from '@slipway/base';
import { apiEndpointAnnotation } from '../cluster-settings/api-endpoint.ts';
import type { ClusterConfiguration, InitSettings } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import { componentImage } from '../image/component-image.ts';
import { addressFamily } from '../network/cidr.ts';
import { joinHostPort } from '../network/host-port.ts';
import { commandLine, type DefaultFlags, lastArgument, mergeValue } from './command-line.ts';
import { probeHost } from './probe-host.ts';
import { mergeEnvironment, staticPod } from './static-pod.ts';
import type { Surroundings } from './surroundings.ts';
import { certificateVolumes, externalEtcdVolumes, withExtraVolumes } from './volumes.ts';

/** The static pod of kube-apiserver (phases/controlplane/manifests.go). */
export function kubeApiServerPod(settings: InitSettings, surroundings: Surroundings): JsonObject {
  const { cluster, init } = settings;
  const { advertiseAddress, bindPort } = init.localAPIEndpoint;
  const host = probeHost(advertiseAddress);
  const { apiServer, certificatesDir, etcd } = cluster;
  return staticPod({
    name: 'kube-apiserver',
    image: componentImage('kube-apiserver', cluster),
    command: ['kube-apiserver', ...commandLine(flags(settings), apiServer.extraArgs)],
    requests: { cpu: '250m' },
    probes: {
      ...host,
      port: bindPort,
      scheme: 'HTTPS',
      livenessPath: '/livez',
      readinessPath: '/readyz',
      startupPath: '/livez',
      startupSeconds: durationMs(init.timeouts.controlPlaneComponentHealthCheck) / 1000,
    },
    environment: mergeEnvironment(surroundings.proxyEnvironment, apiServer.extraEnvs),
    volumes: withExtraVolumes(
      [
        ...certificateVolumes(certificatesDir, surroundings.existingFolders),
        ...('external' in etcd ? externalEtcdVolumes(etcd.external, certificatesDir) : []),
      ],
      apiServer.extraVolumes,
    ),
    annotations: { [apiEndpointAnnotation]: joinHostPort(advertiseAddress, bindPort) },
  });
}

function flags({ cluster, init }: InitSettings): DefaultFlags {
  const { certificatesDir: pki, networking, apiServer } = cluster;
  const { advertiseAddress, bindPort } = init.localAPIEndpoint;
  const hasAuthorizationFile =
    lastArgument(apiServer.extraArgs, 'authorization-config') !== undefined;
  return {
    'advertise-address': advertiseAddress,
    'allow-privileged': 'true',
    ...(hasAuthorizationFile ? {} : { 'authorization-mode': 'Node,RBAC' }),
    'client-ca-file': `${pki}/ca.crt`,
    'enable-admission-plugins': 'NodeRestriction',
    'enable-bootstrap-token-auth': 'true',
    ...etcdFlags(cluster, advertiseAddress),
    'kubelet-client-certificate': `${pki}/apiserver-kubelet-client.crt`,
    'kubelet-client-key': `${pki}/apiserver-kubelet-client.key`,
    'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
    'proxy-client-cert-file': `${pki}/front-proxy-client.crt`,
    'proxy-client-key-file': `${pki}/front-proxy-client.key`,
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-client-ca-file': `${pki}/front-proxy-ca.crt`,
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-username-headers': 'X-Remote-User',
    'secure-port': String(bindPort),
    'service-account-issuer': `https://kubernetes.default.svc.${networking.dnsDomain}`,
    'service-account-key-file': `${pki}/sa.pub`,
    'service-account-signing-key-file': `${pki}/sa.key`,
    'service-cluster-ip-range': networking.serviceSubnet,
    'tls-cert-file': `${pki}/apiserver.crt`,
    'tls-private-key-file': `${pki}/apiserver.key`,
  };
}

function etcdFlags(
  { etcd, certificatesDir: pki }: ClusterConfiguration,
  advertiseAddress: string,
): DefaultFlags {
  if ('external' in etcd) {
    const { endpoints, caFile, certFile, keyFile } = etcd.external;
    const hasPair = certFile !== '' && keyFile !== '';
    return {
      'etcd-servers': endpoints.join(','),
      ...(caFile === '' ? {} : { 'etcd-cafile': caFile }),
      ...(hasPair ? { 'etcd-certfile': certFile, 'etcd-keyfile': keyFile } : {}),
    };
  }
  // Its own etcd is asked by the loopback address of the family that etcd listens on.
  const loopback = addressFamily(advertiseAddress) === 'ipv6' ? '::1' : '127.0.0.1';
  const servers = `https://${joinHostPort(loopback, 2379)}`;
  const advertised = lastArgument(etcd.local.extraArgs, 'advertise-client-urls');
  return {
    'etcd-cafile': `${pki}/etcd/ca.crt`,
    'etcd-certfile': `${pki}/apiserver-etcd-client.crt`,
    'etcd-keyfile': `${pki}/apiserver-etcd-client.key`,
    'etcd-servers': advertised === undefined ? servers : mergeValue(servers, advertised),
  };
}
