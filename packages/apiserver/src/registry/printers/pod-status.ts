import type { StoredObject } from '../../contract.ts';
import { readList, readNumber, readPath, readText } from '../read-path.ts';

type Part = Readonly<Record<string, unknown>>;

/** What the READY, STATUS and RESTARTS columns of a pod are made of. */
export type PodSummary = {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When the last restart was; 0: never. */
  readonly lastRestartMs: number;
};

function terminatedReason(terminated: unknown): string {
  const reason = readText(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = readNumber(terminated, 'signal');
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${readNumber(terminated, 'exitCode')}`;
}

function isRestartableInit(pod: StoredObject, name: string): boolean {
  const container = readList(pod, 'spec', 'initContainers').find((item) => item['name'] === name);
  return readText(container, 'restartPolicy') === 'Always';
}

function initReason(pod: StoredObject, status: Part, index: number): string | undefined {
  const terminated = readPath(status, 'state', 'terminated');
  if (terminated !== undefined && readNumber(terminated, 'exitCode') === 0) return undefined;
  if (isRestartableInit(pod, readText(status, 'name')) && status['started'] === true)
    return undefined;
  if (terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
  const waiting = readText(status, 'state', 'waiting', 'reason');
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${readList(pod, 'spec', 'initContainers').length}`;
}

function firstInitReason(pod: StoredObject): string | undefined {
  const statuses = readList(pod, 'status', 'initContainerStatuses');
  for (const [index, status] of statuses.entries()) {
    const reason = initReason(pod, status, index);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function containerReason(status: Part): string {
  const waiting = readText(status, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  const terminated = readPath(status, 'state', 'terminated');
  return terminated === undefined ? '' : terminatedReason(terminated);
}

function runningReason(pod: StoredObject, base: string): string {
  const statuses = readList(pod, 'status', 'containerStatuses');
  let reason = base;
  let running = false;
  for (const status of [...statuses].reverse()) {
    reason = containerReason(status) || reason;
    running ||= status['ready'] === true && readPath(status, 'state', 'running') !== undefined;
  }
  if (reason !== 'Completed' || !running) return reason;
  const ready = readList(pod, 'status', 'conditions').find((item) => item['type'] === 'Ready');
  return ready?.['status'] === 'True' ? 'Running' : 'NotReady';
}

function phaseReason(pod: StoredObject): string {
  const base = readText(pod, 'status', 'reason') || readText(pod, 'status', 'phase');
  const gated = readList(pod, 'status', 'conditions').some(
    (item) => item['type'] === 'PodScheduled' && item['reason'] === 'SchedulingGated',
  );
  const start = gated ? 'SchedulingGated' : base;
  return firstInitReason(pod) ?? runningReason(pod, start);
}

function podReason(pod: StoredObject): string {
  const reason = phaseReason(pod);
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (readText(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = readText(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

/** Counts containers and words the state of a pod as upstream's printer does. */
export function podSummary(pod: StoredObject): PodSummary {
  const inits = readList(pod, 'status', 'initContainerStatuses');
  const sidecars = inits.filter((status) => isRestartableInit(pod, readText(status, 'name')));
  const statuses = [...readList(pod, 'status', 'containerStatuses'), ...sidecars];
  const declaredSidecars = readList(pod, 'spec', 'initContainers').filter(
    (container) => container['restartPolicy'] === 'Always',
  );
  const finished = statuses.map((status) =>
    Date.parse(readText(status, 'lastState', 'terminated', 'finishedAt')),
  );
  return {
    ready: statuses.filter((status) => status['ready'] === true).length,
    total: readList(pod, 'spec', 'containers').length + declaredSidecars.length,
    reason: podReason(pod),
    restarts: statuses.reduce((sum, status) => sum + readNumber(status, 'restartCount'), 0),
    lastRestartMs: Math.max(0, ...finished.filter((time) => !Number.isNaN(time))),
  };
}
