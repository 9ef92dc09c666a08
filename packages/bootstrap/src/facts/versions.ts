/** What a minor of Kubernetes brings along, as its own kubeadm has it (constants.go of each release). */
export type ReleaseFacts = {
  /** Tag of the etcd image. */
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
  /** The kubelet takes `--pod-infra-container-image`; removed in 1.35. */
  readonly hasPodInfraContainerImage: boolean;
};

const factsOfMinor: ReadonlyMap<number, ReleaseFacts> = new Map([
  [34, { etcd: '3.6.5-0', coredns: 'v1.12.1', pause: '3.10.1', hasPodInfraContainerImage: true }],
  [35, { etcd: '3.6.6-0', coredns: 'v1.13.1', pause: '3.10.1', hasPodInfraContainerImage: false }],
  [36, { etcd: '3.6.8-0', coredns: 'v1.14.2', pause: '3.10.2', hasPodInfraContainerImage: false }],
  [37, { etcd: '3.7.0-0', coredns: 'v1.14.6', pause: '3.10.2', hasPodInfraContainerImage: false }],
]);

const minors = [...factsOfMinor.keys()];

/** The minors that clusters can be built of. */
export const supportedMinors: readonly number[] = minors;

/** Facts of a minor; of the nearest known one for another, which validation has warned about. */
export function releaseFacts(minor: number): ReleaseFacts {
  const nearest = Math.min(Math.max(minor, Math.min(...minors)), Math.max(...minors));
  const facts = factsOfMinor.get(nearest);
  if (facts === undefined) throw new RangeError(`minor ${minor}: no facts`);
  return facts;
}
