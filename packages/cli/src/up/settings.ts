import { join, resolve } from 'node:path';
import type { Environment } from '../environment.ts';

export type HostKind = 'simulated' | 'nspawn';

/** Flags of `slipway up` as they were given. */
export type UpFlags = {
  readonly nodes?: number;
  readonly controlPlanes?: number;
  readonly data?: string;
  readonly port?: number;
  readonly kubeconfig?: string;
  readonly hosts?: HostKind;
};

/** What a data directory remembers of its cluster. */
export type ClusterRecord = {
  readonly formatVersion: 1;
  readonly nodes: number;
  readonly controlPlanes: number;
  readonly hosts: HostKind;
  readonly port?: number;
};

/** Where everything of one cluster is. */
export type ClusterPaths = {
  readonly data: string;
  readonly record: string;
  /** Root folder of the machine that the control plane would run on: what `init` writes is here. */
  readonly controlPlane: string;
  /** Keys of slipway's own programs. */
  readonly pki: string;
  readonly database: string;
  readonly logs: string;
  readonly hosts: string;
  /** Files of systemd-nspawn machines. */
  readonly machines: string;
  readonly kubeconfig: string;
};

/** The data directory: `--data`, else `slipway/up` in the user's state directory. */
export function clusterPaths(flags: UpFlags, environment: Environment): ClusterPaths {
  const { variables, homeDirectory, workingDirectory } = environment;
  const stateHome = variables['XDG_STATE_HOME'] ?? join(homeDirectory, '.local/state');
  const data = resolve(workingDirectory, flags.data ?? join(stateHome, 'slipway/up'));
  return {
    data,
    record: join(data, 'cluster.json'),
    controlPlane: join(data, 'control-plane'),
    pki: join(data, 'pki'),
    database: join(data, 'apiserver'),
    logs: join(data, 'logs'),
    hosts: join(data, 'hosts'),
    machines: join(data, 'machines'),
    kubeconfig:
      flags.kubeconfig === undefined
        ? join(data, 'admin.conf')
        : resolve(workingDirectory, flags.kubeconfig),
  };
}

/** One host of the cluster, in the order in which hosts are created. */
export type HostPlace = {
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  readonly directory: string;
};

/** control-plane-1 …, then worker-1 …. */
export function hostPlaces(record: ClusterRecord, hosts: string): readonly HostPlace[] {
  const places = (role: HostPlace['role'], count: number): HostPlace[] =>
    Array.from({ length: count }, (_, index) => {
      const name = `${role}-${index + 1}`;
      return { name, role, directory: join(hosts, name) };
    });
  return [...places('control-plane', record.controlPlanes), ...places('worker', record.nodes)];
}
