import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Kubernetes version whose control plane the tests start. */
export const kubernetesVersion = 'v1.37.2';

export type KubeProgram =
  | 'containerd'
  | 'containerd-shim-runc-v2'
  | 'ctr'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubeadm'
  | 'kubectl'
  | 'runc';

/** Where `test/kube-binaries/build.sh` puts the real programs. */
export function kubeProgram(name: KubeProgram, version = kubernetesVersion): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'slipway/kube-binaries', version, name);
}

/** Why tests that need these programs cannot run here; false: they can. Fits `skip`. */
export function withoutKubePrograms(
  names: readonly KubeProgram[],
  version = kubernetesVersion,
): string | false {
  const missing = names.filter((name) => !isExecutable(kubeProgram(name, version)));
  return missing.length === 0
    ? false
    : `not built: ${missing.join(', ')} ${version}; run test/kube-binaries/build.sh`;
}

/** Why tests that need namespaces of their own cannot run here; false: they can. Fits `skip`. */
export function withoutNamespaces(): string | false {
  if (process.platform !== 'linux') return 'needs Linux';
  return process.getuid?.() === 0 ? false : 'needs root: namespaces and mounts';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
