/**
 * The minor of Kubernetes 1 whose kubelet no longer knows a flag: it refuses to start with it. Sources: the
 * flag sets of kubelet 1.34 to 1.37, and the release notes of earlier versions.
 */
const removedIn: ReadonlyMap<string, number> = new Map([
  ['allow-privileged', 15],
  ['cni-bin-dir', 24],
  ['cni-cache-dir', 24],
  ['cni-conf-dir', 24],
  ['docker-endpoint', 24],
  ['dynamic-config-dir', 24],
  ['image-pull-progress-deadline', 24],
  ['network-plugin', 24],
  ['network-plugin-mtu', 24],
  ['non-masquerade-cidr', 24],
  ['alsologtostderr', 26],
  ['log-dir', 26],
  ['log-file', 26],
  ['logtostderr', 26],
  ['container-runtime', 27],
  ['master-service-namespace', 27],
  ['keep-terminated-pod-volumes', 34],
  ['pod-infra-container-image', 35],
]);

/** A flag that a kubelet will not know, and since which minor. */
export type RemovedFlag = { readonly name: string; readonly removedIn: number };

/** Those of `names` that a kubelet of this minor refuses. */
export function removedFlags(names: readonly string[], minor: number): readonly RemovedFlag[] {
  return names.flatMap((name) => {
    const since = removedIn.get(name);
    return since !== undefined && minor >= since ? [{ name, removedIn: since }] : [];
  });
}
