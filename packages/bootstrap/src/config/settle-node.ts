import type { Ground } from '../workflow/ground.ts';
import type { Argument, NodeRegistration, Taint } from './configuration.ts';
import { detectSocket, givenSocket } from './cri-socket.ts';
import { argumentsOf, controlPlaneTaint } from './defaults.ts';
import type { Finding } from './finding.ts';
import { ignoredChecks } from './flags.ts';
import type { Given } from './given.ts';

export type NodeOrder = {
  readonly given: Given<NodeRegistration> | undefined;
  readonly ground: Ground;
  readonly isControlPlane: boolean;
  readonly ignorePreflightErrors: readonly string[] | undefined;
  /** Address of `--node-ip`, when it was given. */
  readonly nodeAddress?: string | undefined;
};

export type SettledNode = {
  readonly registration: NodeRegistration;
  readonly findings: readonly Finding[];
};

/** nodeRegistration with its dynamic defaults: name of the machine, runtime of the machine, taints by role. */
export async function settleNode(order: NodeOrder): Promise<SettledNode> {
  const { given = {}, ground, isControlPlane } = order;
  const path = ['nodeRegistration', 'criSocket'];
  const { criSocket, findings: socketFindings } =
    given.criSocket === undefined || given.criSocket === ''
      ? await detectSocket(ground.files, path)
      : givenSocket(given.criSocket, path);
  const checks = ignoredChecks(given.ignorePreflightErrors ?? [], order.ignorePreflightErrors);
  const registration: NodeRegistration = {
    name: nodeNameOf(given.name, ground),
    criSocket,
    taints: (given.taints ?? (isControlPlane ? [controlPlaneTaint] : [])) as readonly Taint[],
    kubeletExtraArgs: withNodeAddress(argumentsOf(given.kubeletExtraArgs), order.nodeAddress),
    ignorePreflightErrors: checks.ignored,
    imagePullPolicy:
      given.imagePullPolicy === undefined || String(given.imagePullPolicy) === ''
        ? 'IfNotPresent'
        : given.imagePullPolicy,
    imagePullSerial: given.imagePullSerial ?? true,
  };
  return { registration, findings: [...socketFindings, ...checks.findings] };
}

/** kubeadm's rule: the given name, else that of the machine; trimmed and in lower case. */
function nodeNameOf(given: string | undefined, { machine }: Ground): string {
  return (given === undefined || given === '' ? machine.hostname() : given).trim().toLowerCase();
}

/** One setting drives all: the kubelet registers the address that the API server is reached at. */
function withNodeAddress(
  given: readonly Argument[],
  nodeAddress: string | undefined,
): readonly Argument[] {
  if (nodeAddress === undefined) return given;
  const others = given.filter(({ name }) => name !== 'node-ip');
  return [...others, { name: 'node-ip', value: nodeAddress }];
}
