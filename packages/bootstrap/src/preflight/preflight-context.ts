import type { Ground } from '../workflow/ground.ts';
import type { PreflightContext } from './check.ts';
import { type KubeletProgram, readKubeletProgram } from './kubelet-program.ts';
import { type ContainerRuntime, createContainerRuntime } from './runtime/container-runtime.ts';

export type PreflightContextOptions = { readonly ground: Ground; readonly signal?: AbortSignal };

/** What checks look at; what several of them ask for is asked for once. */
export function createPreflightContext({
  ground,
  signal,
}: PreflightContextOptions): PreflightContext {
  let kubelet: Promise<KubeletProgram> | undefined;
  const runtimes = new Map<string, ContainerRuntime>();
  return {
    ground,
    kubelet: () => {
      kubelet ??= readKubeletProgram(ground.run);
      return kubelet;
    },
    runtime: (socket) => {
      const known = runtimes.get(socket) ?? createContainerRuntime(socket);
      runtimes.set(socket, known);
      return known;
    },
    ...(signal === undefined ? {} : { signal }),
  };
}
