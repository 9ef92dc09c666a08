import {
  type KubeObject,
  type MachineConfig,
  type MachineConfiguration,
  machineConfigs,
  machineConfigurations,
  nodes,
  type Resource,
} from '@slipway/api';
import { isNotFound, type KubeClient } from '@slipway/kube';
import { runToEnd } from '../run-program.ts';
import { textTable } from '../text-table.ts';
import { poolHeader, poolRow, readClusterView } from './cluster-view.ts';
import { stepFailed } from './wait-for-view.ts';

/** What the tour does to the cluster and shows, as a user would. Each gives the text that the user would see. */
export interface TourCommands {
  /** Says how: with which kubectl, or with slipway's own client. */
  readonly description: string;
  nodes(): Promise<string>;
  pools(): Promise<string>;
  apply(object: MachineConfig | MachineConfiguration): Promise<string>;
  deleteMachineConfig(name: string): Promise<string>;
}

export type KubectlPlace = {
  readonly program: string;
  readonly kubeconfig: string;
  readonly cacheDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** The tour's commands with the user's own kubectl. */
export function kubectlCommands(place: KubectlPlace): TourCommands {
  const { program, kubeconfig, cacheDirectory, environment } = place;

  async function kubectl(argv: readonly string[], input = ''): Promise<string> {
    const flags = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${cacheDirectory}`];
    const result = await runToEnd(program, [...flags, ...argv], { input, environment });
    if (result.code !== 0) {
      throw stepFailed(`kubectl ${argv.join(' ')} to succeed`, result.stderr.trim());
    }
    return result.stdout.trimEnd();
  }

  return {
    description: `kubectl (${program})`,
    nodes: () => kubectl(['get', 'nodes']),
    pools: () => kubectl(['get', 'machineconfigpool']),
    apply: (object) => kubectl(['apply', '-f', '-'], JSON.stringify(object)),
    deleteMachineConfig: (name) => kubectl(['delete', 'machineconfig', name]),
  };
}

/** The same calls through slipway's own client, for machines without kubectl. */
export function clientCommands(client: KubeClient): TourCommands {
  async function applyObject<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
  ): Promise<string> {
    const name = object.metadata?.name ?? '';
    const shown = `${resource.plural.replace(/s$/, '')}.${resource.group}/${name}`;
    try {
      await client.patch(resource, name, { type: 'merge', body: object });
      return `${shown} configured`;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(resource, object);
      return `${shown} created`;
    }
  }

  return {
    description: "slipway's own client (there is no kubectl on the PATH)",
    async nodes() {
      // Asked first of all, when the kinds of slipway may not be served yet.
      const rows = (await client.list(nodes)).map((node) => {
        const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
        return [node.metadata?.name ?? '', ready?.status === 'True' ? 'Ready' : 'NotReady'];
      });
      return textTable(['NAME', 'STATUS'], rows).join('\n');
    },
    async pools() {
      const view = await readClusterView(client);
      return textTable(poolHeader, view.pools.map(poolRow)).join('\n');
    },
    apply: (object) =>
      isMachineConfig(object)
        ? applyObject(machineConfigs, object)
        : applyObject(machineConfigurations, object),
    async deleteMachineConfig(name) {
      await client.delete(machineConfigs, name);
      return `machineconfig.${machineConfigs.group} "${name}" deleted`;
    },
  };
}

function isMachineConfig(object: MachineConfig | MachineConfiguration): object is MachineConfig {
  return object.kind === 'MachineConfig';
}
