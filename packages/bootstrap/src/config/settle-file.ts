import { hasErrors, type Issue } from '@slipway/base';
import type { InterfaceAddress } from '@slipway/host';
import { defaultRouteAddress } from '../network/node-address.ts';
import type { Ground } from '../workflow/ground.ts';
import type {
  InitSettings,
  JoinConfiguration,
  ResetConfiguration,
  UpgradeConfiguration,
} from './configuration.ts';
import type { ConfigurationKind } from './convert/converted.ts';
import { type LoadedFile, type LoadOptions, loadConfiguration } from './load.ts';
import { settleInit } from './settle-init.ts';
import { settleJoin } from './settle-join.ts';
import { settleReset } from './settle-reset.ts';
import { settleUpgrade } from './settle-upgrade.ts';
import type { Settled } from './settled.ts';

export type FileOrder = {
  readonly text: string;
  readonly ground: Ground;
  readonly load?: LoadOptions;
};

/** Everything that a file configures, by the command that reads it. */
export type SettledFile = {
  readonly init?: InitSettings;
  readonly join?: JoinConfiguration;
  readonly reset?: ResetConfiguration;
  readonly upgrade?: UpgradeConfiguration;
};

/** Kinds that tell for which command a file is. */
const commandKinds = {
  init: ['InitConfiguration', 'ClusterConfiguration'],
  join: ['JoinConfiguration'],
  reset: ['ResetConfiguration'],
  upgrade: ['UpgradeConfiguration'],
} as const satisfies Readonly<Record<string, readonly ConfigurationKind[]>>;

type CommandName = keyof typeof commandKinds;

/**
 * Settles all kinds of one file, for whichever commands they are. A kind that none of the file's own
 * commands reads is not mentioned: another command does.
 */
export async function settleFile(order: FileOrder): Promise<Settled<SettledFile>> {
  const file = loadConfiguration(order.text, order.load);
  const commands = commandsOf(file);
  if (commands.length === 0) return { issues: [...file.issues, ...nothingToRead(file)] };
  const value: Record<string, unknown> = {};
  const issues = new Map<string, Issue>();
  for (const command of commands) {
    const settled = await settle(command, order);
    value[command] = settled.value;
    // Every command loads the file; what is wrong with its form is said once.
    for (const issue of settled.issues) issues.set(JSON.stringify(issue), issue);
  }
  const told = [...issues.values()].filter((issue) => !isReadElsewhere(issue, commands));
  const sorted = told.sort((left, right) => (left.line ?? 0) - (right.line ?? 0));
  return hasErrors(sorted) ? { issues: sorted } : { value: value as SettledFile, issues: sorted };
}

/**
 * Findings about the file itself. What this machine lacks is none of them: it need not be the one that
 * the file is for.
 */
export async function validateFile(order: FileOrder): Promise<readonly Issue[]> {
  const ground = await withSomeAddress(order.ground);
  const { issues } = await settleFile({ ...order, ground });
  return issues.filter(({ code }) => code !== 'bootstrap.config.cri-ambiguous');
}

function commandsOf({ documents }: LoadedFile): readonly CommandName[] {
  const names = Object.keys(commandKinds) as readonly CommandName[];
  const commands = names.filter((name) =>
    commandKinds[name].some((kind) => documents[kind]?.origin !== undefined),
  );
  const hasComponents =
    documents.KubeletConfiguration !== undefined || documents.KubeProxyConfiguration !== undefined;
  return commands.length === 0 && hasComponents ? ['init'] : commands;
}

function settle(command: CommandName, order: FileOrder): Promise<Settled<unknown>> {
  if (command === 'init') return settleInit(order);
  if (command === 'join') return settleJoin(order);
  if (command === 'reset') return settleReset(order);
  return Promise.resolve(settleUpgrade(order));
}

function nothingToRead({ issues }: LoadedFile): readonly Issue[] {
  // A document that could not be read has its own finding.
  if (hasErrors(issues)) return [];
  return [
    {
      code: 'bootstrap.config.missing-kind',
      severity: 'error',
      path: '',
      line: 1,
      column: 1,
      message: 'there is no document of kubeadm.k8s.io in the file',
      hint: 'add a document with apiVersion: kubeadm.k8s.io/v1beta4',
    },
  ];
}

function isReadElsewhere(issue: Issue, commands: readonly CommandName[]): boolean {
  return issue.code === 'bootstrap.config.unexpected-kind' && commands.length > 1;
}

const documentationAddress: InterfaceAddress = {
  interfaceName: 'documentation',
  address: '192.0.2.1',
  family: 'ipv4',
  prefixLength: 24,
  internal: false,
};

/** The machine, with an address where it has none: what is settled does not depend on it. */
export async function withSomeAddress(ground: Ground): Promise<Ground> {
  const { machine } = ground;
  if ((await defaultRouteAddress(machine)) !== undefined) return ground;
  return {
    ...ground,
    machine: {
      ...machine,
      addresses: () => [documentationAddress, ...machine.addresses()],
      defaultRouteInterface: async () => documentationAddress.interfaceName,
    },
  };
}
