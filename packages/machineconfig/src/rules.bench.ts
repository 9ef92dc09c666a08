import { type MachineConfig, type MachineConfigPool, type Node, roleLabel } from '@slipway/api';
import { renderPool } from './render/render-pool.ts';
import { membershipOf } from './rollout/membership.ts';
import { observeNode } from './rollout/observe-node.ts';
import { poolStatus } from './rollout/pool-status.ts';
import { selectNodes } from './rollout/select-nodes.ts';
import { settledNode } from './testing/node-of.ts';
import { validateMachineConfig } from './validate/read-machine-config.ts';

export type Figure = { readonly name: string; readonly value: number; readonly unit: string };

const rounds = 7;

const pool: MachineConfigPool = {
  metadata: { name: 'worker' },
  spec: {
    machineConfigSelector: { matchLabels: { [roleLabel]: 'worker' } },
    nodeSelector: { matchLabels: { worker: '' } },
    configuration: { name: 'v1' },
  },
};

function configOf(name: string, files: readonly { path: string; source: string }[]): MachineConfig {
  return {
    metadata: { name, labels: { [roleLabel]: 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.4.0' },
        storage: { files: files.map(({ path, source }) => ({ path, contents: { source } })) },
      },
    },
  };
}

/** 200 MachineConfigs of 20 files each, new objects every time: nothing is remembered from the round before. */
function manyConfigs(): readonly MachineConfig[] {
  return Array.from({ length: 200 }, (_, config) =>
    configOf(
      `mc-${config}`,
      Array.from({ length: 20 }, (_, file) => ({
        path: `/etc/bench/${config}/${file}`,
        source: `data:,file%20${config}%20${file}`,
      })),
    ),
  );
}

function bigConfig(): MachineConfig {
  const source = `data:;base64,${btoa('x'.repeat(780_000))}`;
  return configOf('big', [{ path: '/etc/big', source }]);
}

function fleet(): readonly Node[] {
  return Array.from({ length: 5000 }, (_, index) =>
    settledNode(`n${index}`, 'v0', { labels: { worker: '' }, age: index }),
  );
}

function syncPool(nodes: readonly Node[]): void {
  const members = nodes
    .filter((node) => membershipOf(node, [pool]).kind === 'member')
    .map(observeNode);
  const selection = selectNodes({
    target: 'v1',
    nodes: members,
    maxUnavailable: 500,
    controlPlane: false,
  });
  const now = '2026-01-01T00:00:00Z';
  poolStatus({ pool, nodes: members, issues: [], conflicts: [], selection, now });
}

/** Median of some rounds, in ms; `prepare` is not measured. */
function measure<T>(prepare: () => T, work: (input: T) => void): number {
  const times = Array.from({ length: rounds }, () => {
    const input = prepare();
    const since = performance.now();
    work(input);
    return performance.now() - since;
  }).sort((a, b) => a - b);
  return Math.round((times[Math.floor(rounds / 2)] ?? 0) * 10) / 10;
}

export function bench(): readonly Figure[] {
  return [
    {
      name: 'render.200x20_ms',
      value: measure(manyConfigs, (configs) => renderPool(pool, configs)),
      unit: 'ms',
    },
    {
      name: 'admission.validate_1mib_ms',
      value: measure(bigConfig, (config) => validateMachineConfig(config)),
      unit: 'ms',
    },
    {
      name: 'pool.sync_5000_nodes_ms',
      value: measure(fleet, syncPool),
      unit: 'ms',
    },
  ];
}
