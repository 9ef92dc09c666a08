import type { Node, NodeCondition } from '@slipway/api';

/** What a stand-in kubelet says of its host. Pure description: no I/O. */
export type NodeDescription = {
  readonly nodeName: string;
  /** First is the internal address. */
  readonly addresses: readonly string[];
  /** Beyond the well-known ones; nothing under node-role.kubernetes.io: a kubelet may not set those. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly bootId: string;
  readonly machineId: string;
  /** `v1.37.2`: what `kubectl get nodes` shows as VERSION. */
  readonly kubeletVersion: string;
  readonly osImage: string;
  readonly kernelVersion: string;
  readonly containerRuntimeVersion: string;
  /** As Go spells it: `amd64`, `arm64`. */
  readonly architecture: string;
};

/** Whether the stand-in runs or has been stopped on purpose. */
export type KubeletPhase = 'running' | 'stopped';

/** Labels that every kubelet sets on its Node. */
export function nodeLabels(description: NodeDescription): Readonly<Record<string, string>> {
  const { nodeName, architecture } = description;
  return {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    ...description.labels,
  };
}

type ConditionFacts = Pick<NodeCondition, 'type' | 'status'> & { reason: string; message: string };

const healthy: readonly ConditionFacts[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
];

function readiness(phase: KubeletPhase): ConditionFacts {
  return phase === 'running'
    ? {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'stand-in kubelet is posting ready status',
      }
    : {
        type: 'Ready',
        status: 'False',
        reason: 'KubeletNotReady',
        message: 'node is shutting down',
      };
}

/** Conditions at `now` (RFC 3339); a condition that did not change keeps its transition time. */
export function nodeConditions(
  phase: KubeletPhase,
  before: readonly NodeCondition[],
  now: string,
): readonly NodeCondition[] {
  return [...healthy, readiness(phase)].map((facts) => {
    const old = before.find((condition) => condition.type === facts.type);
    const unchanged = old?.status === facts.status && old.lastTransitionTime !== undefined;
    return {
      ...facts,
      lastHeartbeatTime: now,
      lastTransitionTime: unchanged ? (old.lastTransitionTime ?? now) : now,
    };
  });
}

const capacity = { cpu: '2', memory: '4Gi', 'ephemeral-storage': '20Gi', pods: '110' };

/** The whole status of the Node. */
export function nodeStatus(
  description: NodeDescription,
  conditions: readonly NodeCondition[],
): NonNullable<Node['status']> {
  const { bootId, machineId, kubeletVersion, architecture } = description;
  return {
    capacity,
    allocatable: capacity,
    conditions,
    addresses: [
      ...description.addresses.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: description.nodeName },
    ],
    nodeInfo: {
      architecture,
      bootID: bootId,
      containerRuntimeVersion: description.containerRuntimeVersion,
      kernelVersion: description.kernelVersion,
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: machineId,
      operatingSystem: 'linux',
      osImage: description.osImage,
      systemUUID: machineId,
    },
  };
}
