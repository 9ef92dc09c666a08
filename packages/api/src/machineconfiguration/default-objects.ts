import type { KubeObject } from '../object-meta.ts';
import type { Resource } from '../resource.ts';
import { ignitionVersion } from './definitions/machine-config.ts';
import {
  machineConfigPools,
  machineConfigs,
  machineConfigurationApiVersion,
  machineConfigurations,
  roleLabel,
} from './group.ts';
import type { MachineConfig } from './machine-config.ts';
import type { MachineConfigPool } from './machine-config-pool.ts';
import { type MachineConfiguration, machineConfigurationName } from './machine-configuration.ts';

/** Labels of a Node that say what it is for. */
export const nodeRoleLabel = {
  controlPlane: 'node-role.kubernetes.io/control-plane',
  /** The word that older clusters use for a control plane. */
  master: 'node-role.kubernetes.io/master',
  worker: 'node-role.kubernetes.io/worker',
} as const;

/** The two pools that every cluster has. */
export const masterPoolName = 'master';
export const workerPoolName = 'worker';

function pool(role: string, nodeLabel: string): MachineConfigPool {
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigPools.kind,
    metadata: { name: role },
    spec: {
      machineConfigSelector: { matchLabels: { [roleLabel]: role } },
      nodeSelector: { matchLabels: { [nodeLabel]: '' } },
    },
  };
}

function emptyConfig(role: string): MachineConfig {
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigs.kind,
    metadata: { name: `00-${role}`, labels: { [roleLabel]: role } },
    spec: { config: { ignition: { version: ignitionVersion } } },
  };
}

function clusterPolicy(): MachineConfiguration {
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigurations.kind,
    metadata: { name: machineConfigurationName },
    spec: {
      defaultNodeDisruptionPolicySpecAction: {
        files: [{ type: 'None' }],
        units: [{ type: 'Reboot' }],
      },
      nodeDisruptionPolicy: { sshkey: { actions: [{ type: 'None' }] } },
    },
  };
}

/** An object and where it lives. */
export type DefaultObject = {
  readonly resource: Resource<KubeObject>;
  readonly object: KubeObject;
};

/** What an installation creates when it is absent, and never overwrites: pools, their first MachineConfigs, the policy. */
export function defaultObjects(): readonly DefaultObject[] {
  return [
    { resource: machineConfigurations, object: clusterPolicy() },
    { resource: machineConfigs, object: emptyConfig(masterPoolName) },
    { resource: machineConfigs, object: emptyConfig(workerPoolName) },
    { resource: machineConfigPools, object: pool(masterPoolName, nodeRoleLabel.controlPlane) },
    { resource: machineConfigPools, object: pool(workerPoolName, nodeRoleLabel.worker) },
  ];
}
