import { describeError } from '@slipway/base';
import type { RunProgram } from '@slipway/host';
import { type KubernetesVersion, parseKubernetesVersion } from '../version/kubernetes-version.ts';

/** The kubelet that is installed, or why that cannot be told. */
export type KubeletProgram =
  | { readonly version: KubernetesVersion }
  | {
      readonly version?: undefined;
      readonly reason: string;
      /** False where no program may be run: then nobody can tell. */
      readonly isAsked: boolean;
    };

/** Asks the kubelet for its version: `Kubernetes v1.37.2`. */
export async function readKubeletProgram(run: RunProgram | undefined): Promise<KubeletProgram> {
  if (run === undefined) {
    return { reason: 'no program is run where a folder is the root', isAsked: false };
  }
  try {
    const { exitCode, stdout, stderr } = await run(['kubelet', '--version'], { timeoutMs: 10_000 });
    if (exitCode !== 0) return unknown(`kubelet --version failed: ${stderr.trim()}`);
    const version = parseKubernetesVersion(stdout.trim().replace(/^Kubernetes /, ''));
    return version === undefined
      ? unknown(`kubelet --version says ${JSON.stringify(stdout.trim())}`)
      : { version };
  } catch (error) {
    return unknown(describeError(error));
  }
}

function unknown(reason: string): KubeletProgram {
  return { reason, isAsked: true };
}
