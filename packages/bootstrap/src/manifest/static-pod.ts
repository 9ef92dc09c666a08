import type { JsonObject, JsonValue } from '@slipway/base';
import { compareBytes } from '@slipway/base';
import type { EnvironmentVariable } from '../config/configuration.ts';
import type { HostVolume } from './volumes.ts';

/** An HTTP probe of a component; `port` is the number behind the name that all probes use. */
export type Probes = {
  readonly host?: string;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly livenessPath: string;
  /** Absent: no readiness probe. */
  readonly readinessPath?: string;
  readonly startupPath: string;
  /** How long the component may take to start. */
  readonly startupSeconds: number;
};

export type StaticPodSpec = {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly requests: JsonObject;
  readonly probes: Probes;
  readonly environment: readonly EnvironmentVariable[];
  readonly volumes: readonly HostVolume[];
  readonly annotations?: Readonly<Record<string, string>>;
};

const probePort = 'probe-port';

/**
 * A static pod of the control plane (util/staticpod): host network, system-node-critical, volumes sorted
 * by name. In the fields and the spelling of the API.
 */
export function staticPod(spec: StaticPodSpec): JsonObject {
  const { name, annotations } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(annotations === undefined ? {} : { annotations }),
      labels: { component: name, tier: 'control-plane' },
      name,
      namespace: 'kube-system',
    },
    spec: {
      containers: [containerOf(spec)],
      hostNetwork: true,
      // The value of the class system-node-critical.
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      volumes: byName(spec.volumes).map(volumeOf),
    },
    status: {},
  };
}

function containerOf(spec: StaticPodSpec): JsonObject {
  const { name, image, command, probes, requests, environment, volumes } = spec;
  return {
    command: [...command],
    ...(environment.length === 0 ? {} : { env: [...environment] }),
    image,
    imagePullPolicy: 'IfNotPresent',
    livenessProbe: { ...probe(probes, probes.livenessPath), failureThreshold: 8, ...slow },
    name,
    ports: [{ containerPort: probes.port, name: probePort, protocol: 'TCP' }],
    ...(probes.readinessPath === undefined
      ? {}
      : {
          readinessProbe: {
            ...probe(probes, probes.readinessPath),
            failureThreshold: 3,
            periodSeconds: 1,
            timeoutSeconds: 15,
          },
        }),
    resources: { requests },
    startupProbe: {
      ...probe(probes, probes.startupPath),
      failureThreshold: Math.ceil(probes.startupSeconds / slow.periodSeconds),
      ...slow,
    },
    volumeMounts: mountsOf(volumes, name).map(mountOf),
  };
}

const slow = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 } as const;

function probe({ host, scheme }: Probes, path: string): JsonObject {
  const address = host === undefined ? {} : { host };
  return { httpGet: { ...address, path, port: probePort, scheme } };
}

function byName(volumes: readonly HostVolume[]): readonly HostVolume[] {
  return [...volumes].sort((left, right) => compareBytes(left.name, right.name));
}

/** etcd's two mounts are in the order of kubeadm's code; all others are sorted. */
function mountsOf(volumes: readonly HostVolume[], component: string): readonly HostVolume[] {
  return component === 'etcd' ? volumes : byName(volumes);
}

function volumeOf({ name, hostPath, pathType }: HostVolume): JsonValue {
  return { hostPath: { path: hostPath, type: pathType }, name };
}

function mountOf({ name, mountPath, readOnly }: HostVolume): JsonValue {
  return { mountPath, name, ...(readOnly ? { readOnly: true } : {}) };
}

/** Environment variables by name: later lists win, sorted. */
export function mergeEnvironment(
  ...lists: readonly (readonly EnvironmentVariable[])[]
): readonly EnvironmentVariable[] {
  const merged = new Map(lists.flat().map((variable) => [variable.name, variable]));
  return [...merged.values()].sort((left, right) => compareBytes(left.name, right.name));
}

/** The proxy settings of the process (`*_proxy`, any case), which components are started with. */
export function proxyEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentVariable[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    name.toLowerCase().endsWith('_proxy') && value !== undefined && value !== ''
      ? [{ name, value }]
      : [],
  );
}
