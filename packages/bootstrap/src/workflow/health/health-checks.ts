import { isJsonObject } from '@slipway/base';
import { type ControlPlaneComponent, kubernetesPorts } from '../../facts/paths.ts';

/** Where a component of the control plane is asked for its health. */
export type HealthCheck = {
  readonly component: ControlPlaneComponent;
  /** `127.0.0.1`, or an IPv6 address without brackets. */
  readonly address: string;
  readonly port: string;
  /** `/livez`. */
  readonly path: string;
};

type CheckRule = {
  readonly addressFlag: string;
  readonly port: number;
  readonly path: string;
};

const rules: Readonly<Record<ControlPlaneComponent, CheckRule>> = {
  'kube-apiserver': {
    addressFlag: 'advertise-address',
    port: kubernetesPorts.apiServer,
    path: '/livez',
  },
  'kube-controller-manager': {
    addressFlag: 'bind-address',
    port: kubernetesPorts.controllerManager,
    path: '/healthz',
  },
  'kube-scheduler': {
    addressFlag: 'bind-address',
    port: kubernetesPorts.scheduler,
    path: '/livez',
  },
};

/**
 * Where to ask the component of a static pod manifest: what its own command line says, else kubeadm's
 * defaults. `advertiseAddress` stands in for an API server that names none.
 */
export function healthCheck(
  component: ControlPlaneComponent,
  manifest: unknown,
  advertiseAddress: string,
): HealthCheck {
  const { addressFlag, port, path } = rules[component];
  const command = commandOf(component, manifest);
  const standard = component === 'kube-apiserver' ? advertiseAddress : '127.0.0.1';
  return {
    component,
    address: flagValue(command, addressFlag) ?? standard,
    port: flagValue(command, 'secure-port') ?? String(port),
    path,
  };
}

/** `https://[::1]:6443/livez`. */
export function healthAddress({ address, port, path }: HealthCheck): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `https://${host}:${port}${path}`;
}

/** Command line of the container that runs the component; empty when the manifest has none. */
function commandOf(component: string, manifest: unknown): readonly string[] {
  const spec = isJsonObject(manifest) ? manifest['spec'] : undefined;
  const containers = isJsonObject(spec) ? spec['containers'] : undefined;
  if (!Array.isArray(containers)) return [];
  for (const container of containers) {
    const command = isJsonObject(container) ? container['command'] : undefined;
    if (Array.isArray(command) && command[0] === component) return command.map(String);
  }
  return [];
}

/** The last one counts, as for the component itself. */
function flagValue(command: readonly string[], flag: string): string | undefined {
  const prefix = new RegExp(`^--?${flag}=(.+)$`);
  return command.flatMap((argument) => prefix.exec(argument.trim())?.[1] ?? []).at(-1);
}
