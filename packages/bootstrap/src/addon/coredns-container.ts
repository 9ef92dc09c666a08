import type { JsonObject } from '@slipway/base';

const ports: readonly JsonObject[] = [
  { containerPort: 53, name: 'dns', protocol: 'UDP' },
  { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
  { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
  { containerPort: 8080, name: 'liveness-probe', protocol: 'TCP' },
  { containerPort: 8181, name: 'readiness-probe', protocol: 'TCP' },
];

/** The one container of the Deployment. It may bind port 53 and nothing else, and writes nowhere. */
export function corednsContainer(image: string): JsonObject {
  return {
    name: 'coredns',
    image,
    imagePullPolicy: 'IfNotPresent',
    resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
    args: ['-conf', '/etc/coredns/Corefile'],
    volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
    ports,
    livenessProbe: {
      httpGet: { path: '/health', port: 'liveness-probe', scheme: 'HTTP' },
      initialDelaySeconds: 60,
      timeoutSeconds: 5,
      successThreshold: 1,
      failureThreshold: 5,
    },
    readinessProbe: { httpGet: { path: '/ready', port: 'readiness-probe', scheme: 'HTTP' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}
