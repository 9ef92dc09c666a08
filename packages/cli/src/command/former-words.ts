/** Commands that kubeadm once had, and what does the same today. The longest that fits counts. */
const formerCommands: ReadonlyMap<string, string> = new Map([
  ['alpha', 'use `slipway certs`, `slipway kubeconfig` or `slipway init phase`'],
  ['alpha certs', 'use `slipway certs`'],
  ['alpha kubeconfig', 'use `slipway kubeconfig user`'],
  ['alpha phase', 'use `slipway init phase`'],
  ['alpha selfhosting', 'leave it out: control planes run as static pods only'],
  ['config print-default', 'use `slipway config print`'],
  ['config upload', 'use `slipway init phase upload-config`'],
  ['config view', 'use `kubectl -n kube-system get configmap kubeadm-config -o yaml`'],
  [
    'join phase control-plane-join update-status',
    'leave it out: no list of control planes is kept in kubeadm-config any more',
  ],
  [
    'reset phase update-cluster-status',
    'leave it out: no list of control planes is kept in kubeadm-config any more',
  ],
]);

/** Flags that kubeadm once had. */
const formerFlags: ReadonlyMap<string, string> = new Map([
  ['--api-advertise-addresses', 'use --apiserver-advertise-address'],
  ['--csr-dir', 'use `slipway certs generate-csr`'],
  ['--csr-only', 'use `slipway certs generate-csr`'],
  ['--experimental-control-plane', 'use --control-plane'],
  [
    '--experimental-kustomize',
    'write the changes as patches, and name their directory by --patches',
  ],
  ['--experimental-output', 'use --output'],
  ['--experimental-patches', 'use --patches'],
  ['--experimental-upload-certs', 'use --upload-certs'],
  ['--feature-gates', 'feature gates are of the whole cluster: they are given to `slipway init`'],
  ['--skip-preflight-checks', 'use --ignore-preflight-errors=all'],
  ['--use-api', 'make requests with `slipway certs generate-csr`, and have them signed'],
  ['--use-kubernetes-version', 'use --kubernetes-version'],
]);

/**
 * What to use instead of a command that earlier kubeadms had, by the words of a command line; undefined
 * for what never was one. Only for a command that there is not.
 */
export function insteadOfCommand(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, flag < 0 ? words.length : flag);
  return names
    .map((_, index) => formerCommands.get(names.slice(0, index + 1).join(' ')))
    .findLast((today) => today !== undefined);
}

/** The same for a flag: `--experimental-control-plane`, with a value behind a `=` or without. */
export function insteadOfFlag(flag: string): string | undefined {
  return formerFlags.get(flag.replace(/=.*$/s, ''));
}
