import type { Ground } from '../workflow/ground.ts';
import type { KubeletProgram } from './kubelet-program.ts';
import type { ContainerRuntime } from './runtime/container-runtime.ts';

/** How much a finding matters: an `error` refuses the command, a `warning` is told. */
export type FindingLevel = 'error' | 'warning';

/** What a check found to be wrong. No finding: all is well. */
export type Finding = {
  readonly level: FindingLevel;
  /** What is wrong, and why that matters. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
};

/** What checks look at. Facts that several of them need are asked for once. */
export type PreflightContext = {
  readonly ground: Ground;
  /** The kubelet of the host. */
  readonly kubelet: () => Promise<KubeletProgram>;
  /** The container runtime behind a socket: `unix:///run/containerd/containerd.sock`, or a path. */
  readonly runtime: (socket: string) => ContainerRuntime;
  readonly signal?: AbortSignal;
};

/** One check. Checks read and never change; `ImagePull` alone pulls images. */
export type Check = {
  /** kubeadm's name where kubeadm has the check; what `--ignore-preflight-errors` takes. */
  readonly name: string;
  run(context: PreflightContext): Promise<readonly Finding[]>;
};

export function failure(message: string, fix: string): Finding {
  return { level: 'error', message, fix };
}

export function warning(message: string, fix: string): Finding {
  return { level: 'warning', message, fix };
}

/** kubeadm's name of a check about a path: `FileAvailable--etc-kubernetes-kubelet.conf`. */
export function pathCheckName(kind: string, path: string): string {
  return `${kind}-${path.replaceAll('/', '-')}`;
}
