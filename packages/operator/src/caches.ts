import {
  decodeNode,
  type MachineConfig,
  type MachineConfigNode,
  type MachineConfigPool,
  type MachineConfiguration,
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  machineConfigurations,
  type Node,
  nodes,
} from '@slipway/api';
import type { Component } from '@slipway/base';
import {
  createInformer,
  type Informer,
  type InformerDependencies,
  type KubeClient,
} from '@slipway/kube';

/** The informers that all controllers of the operator read from. */
export type Caches = {
  readonly nodes: Informer<Node>;
  readonly machineConfigs: Informer<MachineConfig>;
  readonly pools: Informer<MachineConfigPool>;
  readonly configurations: Informer<MachineConfiguration>;
  readonly machineConfigNodes: Informer<MachineConfigNode>;
};

/** Index of nodes by the configurations that they have or shall have. */
export const nodesByConfig = 'config';
/** Index of rendered MachineConfigs by the pool that they were rendered for. */
export const configsByPool = 'pool';

/** Keeps of a Node what the rules look at: fleets are large, and images and capacities are most of a Node. */
function slimNode(node: Node): Node {
  const conditions = (node.status?.conditions ?? []).map(({ type, status }) => ({ type, status }));
  return {
    apiVersion: node.apiVersion ?? 'v1',
    kind: node.kind ?? nodes.kind,
    ...(node.metadata === undefined ? {} : { metadata: node.metadata }),
    ...(node.spec === undefined
      ? {}
      : {
          spec: {
            ...(node.spec.unschedulable === undefined
              ? {}
              : { unschedulable: node.spec.unschedulable }),
            ...(node.spec.taints === undefined ? {} : { taints: node.spec.taints }),
          },
        }),
    status: { conditions },
  };
}

function configsOf(node: Node): readonly string[] {
  const { state, desired } = decodeNode(node);
  return [...new Set([state.current, desired].filter((name) => name !== undefined))];
}

/** The pool that a rendered MachineConfig belongs to; undefined for one that users wrote. */
export function renderedFor(config: MachineConfig): string | undefined {
  return config.metadata?.ownerReferences?.find(
    ({ kind, controller }) => kind === machineConfigPools.kind && controller === true,
  )?.name;
}

export function createCaches(client: KubeClient, dependencies: InformerDependencies): Caches {
  return {
    nodes: createInformer(
      client,
      { resource: nodes, transform: slimNode, indexes: { [nodesByConfig]: configsOf } },
      dependencies,
    ),
    machineConfigs: createInformer(
      client,
      {
        resource: machineConfigs,
        indexes: {
          [configsByPool]: (config) => {
            const pool = renderedFor(config);
            return pool === undefined ? [] : [pool];
          },
        },
      },
      dependencies,
    ),
    pools: createInformer(client, { resource: machineConfigPools }, dependencies),
    configurations: createInformer(client, { resource: machineConfigurations }, dependencies),
    machineConfigNodes: createInformer(client, { resource: machineConfigNodes }, dependencies),
  };
}

/** The caches as components, to be started together. */
export function cacheComponents(caches: Caches): readonly Component[] {
  return Object.values(caches);
}
